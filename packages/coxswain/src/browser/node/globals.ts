/** What Node has without an import, for the modules of the bundle that name it; nothing of it becomes global. */

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

/** It gets no signals, has no parent, and is told nothing by an environment. */
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

/** `setTimeout` waits for milliseconds once it is nested; a message comes at once. */
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

/** The turn stays, and does nothing. */
export function clearImmediate(turn: object | undefined): void {
  const at = waiting.indexOf(turn as () => void);
  if (at >= 0) waiting[at] = () => {};
}
