/** `diff -u -N` of two directories, which `kubectl diff` runs. */

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createTwoFilesPatch } from 'diff';

/** @returns 0 if there are no differences, 1 if there are, like the program */
export function diff(args: readonly string[], print: (text: string) => void): 0 | 1 {
  const [one = '', other = ''] = args.filter((arg) => !arg.startsWith('-'));
  const names = new Set([...readdirSync(one), ...readdirSync(other)].map(String));
  let differs = false;
  for (const name of [...names].sort()) {
    const files = [join(one, name), join(other, name)] as const;
    const [before, after] = [textOf(files[0]), textOf(files[1])];
    if (before === after) continue;
    differs = true;
    print(`diff ${args.filter((arg) => arg.startsWith('-')).join(' ')} ${files.join(' ')}\n`);
    print(
      createTwoFilesPatch(...files, before, after, '', '', {
        context: 3,
        headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
      }),
    );
  }
  return differs ? 1 : 0;
}

/** A missing file counts as empty. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
