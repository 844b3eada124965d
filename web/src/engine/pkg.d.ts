/** What `make wasm` writes beside this file. */
declare module '*/pkg/kiebitz_wasm.js' {
  export default function load(): Promise<unknown>;
  export class Desk {
    load_network(name: string, bytes: Uint8Array): void;
    request(json: string): string;
    step(milliseconds: number): string;
    is_busy(): boolean;
    hello(): string;
  }
}
