/** `dd if=/dev/zero of=FILE bs=4M count=10`: the operands that copy, and those that are only about the device. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { FileFailure, resolvePath } from './container-files.ts';
import { complain, print, type Program, type SimulatedProcess } from './simulated-process.ts';
import { inputBytesMax } from './text-programs.ts';

const defaultBlockBytes = 512;

export const dd: Program = async (process) => {
  const operands = new Map<string, string>();
  for (const word of process.argv.slice(1)) {
    const [name = '', value] = word.split(/=(.*)/s);
    if (value === undefined || !known.has(name)) return complain(process, `unrecognized operand '${word}'`);
    operands.set(name, value);
  }
  const blockBytes = sizeOf(operands.get('bs') ?? String(defaultBlockBytes));
  const count = sizeOf(operands.get('count') ?? 'all');
  if (blockBytes === undefined || blockBytes === 0)
    return complain(process, `invalid number '${operands.get('bs')}'`);
  if (count === undefined && operands.has('count'))
    return complain(process, `invalid number '${operands.get('count')}'`);
  const from = operands.get('if');
  const to = operands.get('of');
  try {
    const bytes = await input(process, from, count === undefined ? undefined : count * blockBytes);
    if (to === undefined) await process.stdout(bytes);
    else if (to !== '/dev/null')
      process.files.write(resolvePath(process.place.directory, to), bytes, process.clock.now());
    const blocks = `${Math.floor(bytes.length / blockBytes)}+${bytes.length % blockBytes === 0 ? 0 : 1}`;
    await print(process.stderr, `${blocks} records in\n${blocks} records out\n`);
    return 0;
  } catch (failure) {
    return complain(process, `${to ?? from ?? 'standard input'}: ${messageOf(failure)}`);
  }
};

const known = new Set(['if', 'of', 'bs', 'ibs', 'obs', 'count', 'conv', 'iflag', 'oflag', 'status']);

/** @param limit all of the input if undefined @throws FileFailure */
async function input(
  process: SimulatedProcess,
  path: string | undefined,
  limit: number | undefined,
): Promise<Uint8Array> {
  if (path === '/dev/null') return new Uint8Array(0);
  if (path === '/dev/zero' || path === '/dev/random' || path === '/dev/urandom') {
    if (limit === undefined || limit > inputBytesMax) throw new FileFailure('No space left on device');
    const bytes = new Uint8Array(limit);
    if (path !== '/dev/zero') scatter(bytes, process.random);
    return bytes;
  }
  const all =
    path === undefined
      ? await process.stdin.rest(inputBytesMax)
      : process.files.read(resolvePath(process.place.directory, path));
  return all.slice(0, limit);
}

/** Fills with bytes of a repeated random block, since the source is slow and nobody looks at all of them. */
function scatter(bytes: Uint8Array, random: SimulatedProcess['random']): void {
  const block = Uint8Array.from({ length: Math.min(bytes.length, 4096) }, () =>
    Math.floor(random.next() * 256),
  );
  for (let at = 0; at < bytes.length; at += block.length) bytes.set(block.subarray(0, bytes.length - at), at);
}

const multipliers: Readonly<Record<string, number>> = {
  '': 1,
  c: 1,
  w: 2,
  b: 512,
  kB: 1000,
  k: 1024,
  K: 1024,
  M: 1024 ** 2,
  MB: 1000 ** 2,
  G: 1024 ** 3,
};

/** `512`, `4M`, `1kB`; undefined if it is no number. */
function sizeOf(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d+)([a-zA-Z]*)$/.exec(text) ?? [];
  const multiplier = Object.hasOwn(multipliers, unit) ? multipliers[unit] : undefined;
  return digits === undefined || multiplier === undefined ? undefined : Number(digits) * multiplier;
}
