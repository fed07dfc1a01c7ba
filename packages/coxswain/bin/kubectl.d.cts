import type { Script } from 'node:vm';
import type * as Program from '../../kubectl/src/executable.ts';

export interface Pack {
  load(name: 'kubectl.cjs'): typeof Program;
  readonly scripts: ReadonlyMap<string, Script>;
}

/** @param filled whether the bytecode in the file is to be used */
export function openPack(file: string, filled?: boolean): Pack;
