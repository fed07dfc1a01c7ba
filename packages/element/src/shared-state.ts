/** What a reader did with a cluster, as text in a link: enough to recreate it on another machine. */

export interface SharedState {
  readonly seed: number;
  readonly nodes: number;
  /** The initial contents of files by name. */
  readonly files: Readonly<Record<string, string>>;
  readonly steps: readonly SharedStep[];
  /** How long the cluster has run, in milliseconds of its time. */
  readonly untilMs: number;
  /** The digest of the history until then; empty if it need not be verified. */
  readonly digest: string;
  /** Files that have changed since the last step. */
  readonly written?: Readonly<Record<string, string>>;
}

export interface SharedStep {
  /** The time at which it was entered, in milliseconds of the cluster's time. */
  readonly atMs: number;
  /** A command line, or `reset`. */
  readonly line: string;
  /** Files that have changed, with their contents from here on. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Longer links are truncated by some programs. */
export const linkLengthMax = 8_000;
/** The maximum size of decompressed text from a link, which is untrusted. */
const stateBytesMax = 1024 * 1024;
const stepsMax = 500;
const nodesMax = 100;
const seedMax = 2 ** 32 - 1;
/** Replaying a day of a cluster's time takes seconds. */
const untilMsMax = 24 * 3_600_000;

const version = 2;

export const stateText = (state: SharedState): string => JSON.stringify({ version, ...state });

/** Compressed, using letters, digits, `-` and `_`. */
export async function writeState(state: SharedState): Promise<string> {
  const text = stateText(state);
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(characters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** @throws Error for text that `writeState` did not produce, and for more than a page can replay */
export async function readState(text: string): Promise<SharedState> {
  return stateOf(await unpacked(text).catch(() => ''));
}

/** Decodes the result of `stateText`. */
export function stateOf(text: string): SharedState {
  let state: Partial<SharedState> & { readonly version?: unknown };
  try {
    state = JSON.parse(text) as typeof state;
  } catch (cause) {
    throw new Error('this link to a cluster is damaged', { cause });
  }
  if (state.version !== version) throw new Error('this link to a cluster was made by another version');
  const { seed, nodes, files, steps, untilMs, digest, written } = state;
  const isMeant =
    isWhole(seed, seedMax) &&
    isWhole(nodes, nodesMax) &&
    isWhole(untilMs, untilMsMax) &&
    isFiles(files) &&
    isFiles(written ?? {}) &&
    typeof digest === 'string' &&
    Array.isArray(steps) &&
    steps.length <= stepsMax &&
    steps.every((step, index) => isStep(step) && step.atMs >= (steps[index - 1]?.atMs ?? 0));
  if (!isMeant) throw new Error('this link to a cluster holds more than a page can replay');
  return { seed, nodes, files, steps, untilMs, digest, ...(written && { written }) } as SharedState;
}

async function unpacked(text: string): Promise<string> {
  const characters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(characters, (character) => character.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const decoder = new TextDecoder();
  let found = '';
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    found += decoder.decode(read.value, { stream: true });
    if (found.length > stateBytesMax) throw new Error(`more than ${stateBytesMax} bytes`);
  }
  return found + decoder.decode();
}

const isWhole = (value: unknown, max: number): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max;

function isStep(value: unknown): value is SharedStep {
  const { atMs, line, files = {} } = (value ?? {}) as Partial<SharedStep>;
  return isWhole(atMs, untilMsMax) && typeof line === 'string' && isFiles(files);
}

const isFiles = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.entries(value).every(([name, text]) => fileName.test(name) && typeof text === 'string');

const fileName = /^[\w-][\w.-]*$/;
