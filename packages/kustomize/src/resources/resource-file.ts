/** The resources of one file. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Loader } from '../loading/loader.ts';
import { readResources } from './read-resources.ts';
import type { Resource } from './resource.ts';

/** @throws Error that names the file if its YAML is invalid */
export function readResourcesOfFile(loader: Loader, path: string): Resource[] {
  const text = loader.loadText(path);
  try {
    return readResources(text);
  } catch (failure) {
    const message = messageOf(failure);
    if (isMalformedYaml(failure)) throw new Error(`${message} in File: ${path}`, { cause: failure });
    throw failure;
  }
}

export const isMalformedYaml = (failure: unknown): boolean =>
  messageOf(failure).includes('MalformedYAMLError');
