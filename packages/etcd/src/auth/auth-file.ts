import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AuthBackend } from './auth-store.ts';
import { emptyAuthState, type AuthState } from './auth-state.ts';

/** Keeps the state in a file that only its owner may read. A crash leaves the old one or the new one. */
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

/** Users and roles have names of all kinds. */
const bare = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.assign(Object.create(null) as object, value)
    : value;
