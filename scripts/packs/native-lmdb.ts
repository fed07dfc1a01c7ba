/**
 * In bundles: how lmdb finds its native half. Published packages depend on the prebuilt ones alone, of which package
 * managers install the right one: nothing is compiled there and no install script runs.
 */

import { createRequire } from 'node:module';
import process from 'node:process';

/** By C library; elsewhere than on Linux there is one. */
const files = ['node.napi.glibc.node', 'node.napi.musl.node', 'node.napi.node'];

export default function nativeLmdb(): unknown {
  const requireFromHere = createRequire(import.meta.url);
  const name = `@lmdb/lmdb-${process.platform}-${process.arch}`;
  const failures: unknown[] = [];
  for (const file of files) {
    try {
      return requireFromHere(`${name}/${file}`);
    } catch (failure) {
      failures.push(failure);
    }
  }
  throw new AggregateError(
    failures,
    `storage on disk needs the package ${name}, which is not installed or does not run on this machine`,
  );
}
