/** A real server for the tests: `kiebitz-lab serve` over a fresh workspace folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const REPOSITORY = resolve(import.meta.dirname, '../../..');

/** The program: named by KIEBITZ_LAB, or where cargo puts it. */
export function programPath(): string | undefined {
  const target = process.env['CARGO_TARGET_DIR'] ?? join(REPOSITORY, 'target');
  const places = [process.env['KIEBITZ_LAB'], join(target, 'release/kiebitz-lab'), join(target, 'debug/kiebitz-lab')];
  return places.find((place) => place !== undefined && existsSync(place));
}

export class Server {
  readonly workspace: string;
  address = '';
  private readonly temporary: boolean;
  private process: ChildProcess | undefined;

  /** A server over a given folder, or over a fresh one that goes with it. */
  constructor(workspace?: string) {
    this.temporary = workspace === undefined;
    this.workspace = workspace ?? mkdtempSync(join(tmpdir(), 'kiebitz-page-'));
  }

  /** Starts the server, on the port that it had before if there was one. */
  async start(): Promise<void> {
    const program = programPath();
    if (!program) throw new Error('build kiebitz-lab first, or name it in KIEBITZ_LAB');
    const port = this.address ? new URL(this.address).port : '0';
    const child = spawn(program, ['serve', '--port', port, '--workspace', this.workspace, '--json'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.process = child;
    this.address = await new Promise<string>((found, failed) => {
      child.once('exit', (code) => failed(new Error(`the server ended with ${code}`)));
      createInterface({ input: child.stdout! }).on('line', (line) => {
        const url: unknown = line.startsWith('{') ? (JSON.parse(line) as { url?: unknown }).url : undefined;
        if (typeof url === 'string') found(url.replace(/\/$/, ''));
      });
    });
  }

  /** Kills it, as a power cut would. */
  async kill(): Promise<void> {
    const child = this.process;
    if (!child || child.exitCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }

  async end(): Promise<void> {
    await this.kill();
    if (this.temporary) rmSync(this.workspace, { recursive: true, force: true });
  }
}
