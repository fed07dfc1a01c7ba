/** BusyBox's programs that compare files: whether they are equal, and the first difference. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { resolvePath } from './container-files.ts';
import { withOptions } from './declared-options.ts';
import { complain, print, type SimulatedProcess } from './simulated-process.ts';
import { inputBytesMax } from './text-programs.ts';

const contentOf = async ({ stdin, files, place }: SimulatedProcess, path: string): Promise<Uint8Array> =>
  path === '-' ? stdin.rest(inputBytesMax) : files.read(resolvePath(place.directory, path));

/** The first byte that differs, or the end of the shorter one; undefined if both are equal. */
function firstDifference(a: Uint8Array, b: Uint8Array): number | undefined {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) if (a[at] !== b[at]) return at;
  return a.length === b.length ? undefined : length;
}

export const cmp = withOptions(
  { letters: 'lsn:', synopsis: '[-ls] [-n NUM] FILE1 [FILE2]', operandsMin: 1, usageCode: 2 },
  async (process, options) => {
    const [first = '', second = '-'] = options.operands;
    try {
      const [a, b] = [await contentOf(process, first), await contentOf(process, second)];
      const at = firstDifference(a, b);
      if (at === undefined) return 0;
      if (options.has('s')) return 1;
      const isEnd = at === Math.min(a.length, b.length);
      if (isEnd) return await complain(process, `EOF on ${a.length < b.length ? first : second}`);
      const line = a.subarray(0, at).filter((byte) => byte === 10).length + 1;
      await print(process.stdout, `${first} ${second} differ: char ${at + 1}, line ${line}\n`);
      return 1;
    } catch (failure) {
      return complain(process, messageOf(failure), 2);
    }
  },
);

/** Only reports whether the files differ. */
export const diff = withOptions(
  { letters: 'qabBdiNrTtwsuU:', synopsis: '[-abBdiNqrTtw] FILE1 FILE2', operandsMin: 2, usageCode: 2 },
  async (process, options) => {
    const [first = '', second = ''] = options.operands;
    for (const path of [first, second])
      if (path !== '-' && process.files.entry(resolvePath(process.place.directory, path)) === undefined)
        return complain(process, `can't stat '${path}': No such file or directory`, 2);
    try {
      const [a, b] = [await contentOf(process, first), await contentOf(process, second)];
      if (firstDifference(a, b) === undefined) {
        if (options.has('s')) await print(process.stdout, `Files ${first} and ${second} are identical\n`);
        return 0;
      }
      await print(process.stdout, `Files ${first} and ${second} differ\n`);
      return 1;
    } catch (failure) {
      return complain(process, messageOf(failure), 2);
    }
  },
);
