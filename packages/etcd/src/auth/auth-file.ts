import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AuthBackend } from './auth-store.ts';
import { emptyAuthState, type AuthState } from './auth-state.ts';

/** Keeps the state in a file that only its owner may read. After a crash, either the old or the new state is there. */
export const authFile = (path: string): AuthBackend => ({
  load: () =>
    existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8'), bare) as AuthState) : emptyAuthState,
  save(state) {
    const next = `${path}.next`;
    const file = openSync(next, 'w', 0o600);
    writeSync(file, JSON.stringify(state));
    fsyncSync(file);
    closeSync(file);
    renameSync(next, path);
    const directory = openSync(dirname(path), 'r');
    fsyncSync(directory);
    closeSync(directory);
  },
});

/** Users and roles may have any name. */
const bare = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.assign(Object.create(null) as object, value)
    : value;
