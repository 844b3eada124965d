/** What `make wasm` writes beside this file. */
declare module '*/pkg/kiebitz_wasm.js' {
  export default function load(from: { module_or_path: URL }): Promise<unknown>;
  export class Desk {
    request(json: string): string;
    step(milliseconds: number): string;
    is_busy(): boolean;
    hello(): string;
  }
}
