/** Node's globals, for the modules in the bundle that refer to them; none of them becomes a global of the page. */

export { Buffer } from './buffer.ts';

interface BrowserProcess {
  readonly env: Record<string, string | undefined>;
  readonly argv: readonly string[];
  readonly execArgv: readonly string[];
  readonly pid: number;
  readonly platform: string;
  readonly arch: string;
  readonly version: string;
  readonly versions: Readonly<Record<string, string>>;
  cwd(): string;
  uptime(): number;
  nextTick(callback: (...values: unknown[]) => void, ...values: unknown[]): void;
  on(): BrowserProcess;
  off(): BrowserProcess;
  once(): BrowserProcess;
  emitWarning(): void;
  memoryUsage(): Readonly<Record<string, number>>;
  getBuiltinModule(name: string): undefined;
}

/** It receives no signals, and has neither a parent nor environment variables. */
export const process: BrowserProcess = {
  env: {},
  argv: ['coxswain'],
  execArgv: [],
  pid: 1,
  platform: 'browser',
  arch: 'wasm32',
  version: 'v0.0.0',
  versions: {},
  cwd: () => '/',
  uptime: () => performance.now() / 1000,
  nextTick: (callback, ...values) => queueMicrotask(() => callback(...values)),
  on: () => process,
  off: () => process,
  once: () => process,
  emitWarning: () => {},
  memoryUsage: () => ({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }),
  getBuiltinModule: () => undefined,
};

/** Nested calls of `setTimeout` are delayed by milliseconds; a message arrives at once. */
const waiting: (() => void)[] = [];
let bell: InstanceType<typeof MessageChannel>['port2'] | undefined;

function ring(): void {
  if (bell === undefined) {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => waiting.shift()?.());
    port1.start();
    bell = port2;
  }
  bell.postMessage(undefined, []);
}

export function setImmediate(callback: (...values: unknown[]) => void, ...values: unknown[]): object {
  const turn = () => callback(...values);
  waiting.push(turn);
  ring();
  return turn;
}

/** The scheduled turn still happens but does nothing. */
export function clearImmediate(turn: object | undefined): void {
  const at = waiting.indexOf(turn as () => void);
  if (at >= 0) waiting[at] = () => {};
}
