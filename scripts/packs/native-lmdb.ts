/**
 * In a pack: how lmdb finds its native half. The prebuilt one for this platform is tried before lmdb's own search,
 * which loads `node:child_process` to ask about the C library.
 */

import { createRequire } from 'node:module';
import path from 'node:path';

export default function nativeLmdb(): unknown {
  // The package that is installed beside the pack, whose version the manifest pins.
  const entry = createRequire(__filename).resolve('lmdb');
  const requireFromLmdb = createRequire(entry);
  try {
    return requireFromLmdb(`@lmdb/lmdb-${process.platform}-${process.arch}/node.napi.glibc.node`);
  } catch {
    const search = requireFromLmdb('node-gyp-build-optional-packages') as (folder: string) => unknown;
    return search(path.dirname(path.dirname(entry)));
  }
}
