import { StorageError } from '../../storage.ts';

/** The store is refused, and stays as it is: `what` names what is damaged, and the message the ways out. */
export const damaged = (directory: string, what: string): StorageError =>
  new StorageError('corrupt', `data directory ${directory} is damaged: ${what}; ${waysOut(directory)}`);

const waysOut = (directory: string): string =>
  `put back what is missing, restore a backup with "coxswain storage snapshot restore", or keep what can still be read and lose the rest with "coxswain storage recover ${directory} --accept-data-loss"`;
