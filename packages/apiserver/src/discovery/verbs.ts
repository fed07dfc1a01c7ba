/** A resource's verbs in discovery, in alphabetical order. */
import type { RestStorage } from '../rest/storage.ts';

export function verbsOf(storage: RestStorage): readonly string[] {
  const verbs: string[] = [];
  if (storage.create !== undefined) verbs.push('create');
  if (storage.delete !== undefined) verbs.push('delete');
  if (storage.deleteCollection !== undefined) verbs.push('deletecollection');
  if (storage.get !== undefined || storage.stream !== undefined) verbs.push('get');
  if (storage.list !== undefined) verbs.push('list');
  if (storage.update !== undefined && storage.get !== undefined && storage.patchable !== false)
    verbs.push('patch');
  if (storage.update !== undefined) verbs.push('update');
  if (storage.watch !== undefined) verbs.push('watch');
  return storage.connectMethods === undefined ? verbs : withConnectVerbs(verbs, storage.connectMethods);
}

function withConnectVerbs(verbs: readonly string[], methods: readonly string[]): readonly string[] {
  const all = new Set(verbs);
  for (const method of methods) {
    const verb = connectVerbs[method];
    if (verb !== undefined) all.add(verb);
  }
  return [...all].sort();
}

const connectVerbs: Readonly<Record<string, string>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};
