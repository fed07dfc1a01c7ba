/** Reads one object from the server. */
import { StatusError } from '@coxswain/apimachinery';
import type { CommandContext } from '../context.ts';
import { asError } from '../errors.ts';
import { ResourceHelper } from './resource-helper.ts';
import { refreshed, type Info } from './info.ts';
import type { Selection } from './selection.ts';

export async function fetchInfo(
  context: CommandContext,
  selection: Selection,
  info: Info,
): Promise<Info | Error> {
  try {
    if (info.mapping === undefined) return info;
    const helper = new ResourceHelper(await context.client(), info.mapping, selection.request);
    const object = await helper.get(info.namespace, info.name, info.subresource);
    // A Table has no name of its own.
    return object.kind === 'Table' ? { ...info, object } : refreshed(info, object);
  } catch (failure) {
    return (await missingNamespace(context, info, failure)) ?? asError(failure);
  }
}

/** For a missing object, reports that its namespace is missing, if so, which is more helpful. */
async function missingNamespace(
  context: CommandContext,
  info: Info,
  failure: unknown,
): Promise<Error | undefined> {
  if (!isNotFound(failure) || info.namespace === '' || info.namespace === 'default') return undefined;
  try {
    await (await context.client()).request({ method: 'GET', path: `/api/v1/namespaces/${info.namespace}` });
    return undefined;
  } catch (other) {
    return isNotFound(other) ? other : undefined;
  }
}

export const isNotFound = (failure: unknown): failure is StatusError =>
  failure instanceof StatusError && failure.reason === 'NotFound';
