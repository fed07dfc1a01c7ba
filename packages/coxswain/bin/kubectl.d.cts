import type { Script } from 'node:vm';
import type * as Program from '../../kubectl/src/executable.ts';
import type * as Library from '../src/index.ts';
import type * as Servers from '../src/program/servers.ts';
import type * as Testing from '../src/testing/index.ts';

export interface Pack {
  load(name: 'kubectl.cjs'): typeof Program;
  load(name: 'servers.cjs'): typeof Servers;
  load(name: 'index.cjs'): typeof Library;
  load(name: 'testing.cjs'): typeof Testing;
  readonly scripts: ReadonlyMap<string, Script>;
}

/**
 * @param filled whether the bytecode in the file is to be used
 * @param compile makes functions of modules where those of the main context of V8 are of no use
 */
export function openPack(
  file: string,
  filled?: boolean,
  compile?: (source: string, filename: string) => (...module: unknown[]) => void,
): Pack;
