import { StorageError } from '../../storage.ts';

/**
 * The error that refuses a damaged store, which stays unchanged: `what` names the damage, and the message has the
 * remedies.
 */
export const damaged = (directory: string, what: string): StorageError =>
  new StorageError('corrupt', `data directory ${directory} is damaged: ${what}; ${waysOut(directory)}`);

export const waysOut = (directory: string): string =>
  `restore the missing files, restore a backup with "coxswain storage snapshot restore", or salvage what can still be read with "coxswain storage recover ${directory} --accept-data-loss"`;
