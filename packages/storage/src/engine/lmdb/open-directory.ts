import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { lockDirectory } from '../../directory/directory-lock.ts';
import { keepPrivate, makePrivateFolder } from '../../directory/private-files.ts';
import { StorageError } from '../../storage.ts';

/** What a store and the etcd around it keep in their directory. */
const ownFiles =
  /^(data\.mdb.*|lock(-journal)?|holder\.json|superblock|log\.\d+|damaged-.*|probe|auth\.json.*)$/;

/**
 * Makes a data directory where it is not there, and keeps it from everybody else: secrets are in it, as in etcd's.
 * @throws StorageError 'locked' | 'unavailable'
 */
export function openDirectory(directory: string): { release(): void } {
  try {
    makePrivateFolder(directory);
    keepPrivate(directory, ownFiles);
  } catch (cause) {
    const reason = messageOf(cause);
    throw new StorageError('unavailable', `cannot make data directory ${directory}: ${reason}`, { cause });
  }
  return lockDirectory(directory);
}
