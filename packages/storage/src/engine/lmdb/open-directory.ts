import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { lockDirectory } from '../../directory/directory-lock.ts';
import { keepPrivate, makePrivateDirectory } from '../../directory/private-files.ts';
import { StorageError } from '../../storage.ts';

/** The files of a store and the etcd around it in their directory. */
const ownFiles =
  /^(data\.mdb.*|lock(-journal)?|holder\.json|superblock|log\.\d+|damaged-.*|probe|auth\.json.*)$/;

/**
 * Creates a missing data directory, and makes it private, since it contains secrets like etcd's.
 * @throws StorageError 'locked' | 'unavailable'
 */
export function openDirectory(directory: string): { release(): void } {
  try {
    makePrivateDirectory(directory);
    keepPrivate(directory, ownFiles);
  } catch (cause) {
    const reason = messageOf(cause);
    throw new StorageError('unavailable', `cannot make data directory ${directory}: ${reason}`, { cause });
  }
  return lockDirectory(directory);
}
