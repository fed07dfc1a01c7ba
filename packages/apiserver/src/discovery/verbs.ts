/** A resource's verbs as discovery tells them, in alphabetical order. */
import type { RestStorage } from '../rest/storage.ts';

export function verbsOf(storage: RestStorage): readonly string[] {
  const verbs = new Set<string>();
  if (storage.create !== undefined) verbs.add('create');
  if (storage.delete !== undefined) verbs.add('delete');
  if (storage.deleteCollection !== undefined) verbs.add('deletecollection');
  if (storage.get !== undefined || storage.stream !== undefined) verbs.add('get');
  if (storage.list !== undefined) verbs.add('list');
  if (storage.update !== undefined && storage.get !== undefined && storage.patchable !== false)
    verbs.add('patch');
  if (storage.update !== undefined) verbs.add('update');
  if (storage.watch !== undefined) verbs.add('watch');
  for (const method of storage.connectMethods ?? []) {
    const verb = connectVerbs[method];
    if (verb !== undefined) verbs.add(verb);
  }
  return [...verbs].sort();
}

const connectVerbs: Readonly<Record<string, string>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};
