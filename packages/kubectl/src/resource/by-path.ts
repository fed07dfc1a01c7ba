/** Reads objects from manifests: files, directories, URLs, standard input, kustomizations. */
import { parseLabelSelector } from '@coxswain/apimachinery/label-selector-text.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { CommandContext } from '../context.ts';
import { readManifests } from '../encoding/manifests.ts';
import { asError, ConnectionError, Failures, ListFailure, throwFailures } from '../errors.ts';
import type { ParsedArguments } from './arguments.ts';
import { fetchInfo } from './fetch.ts';
import { findManifests, type ManifestSource } from './files.ts';
import { checkMetadata, checkTyped } from './check-decodable.ts';
import { isList, type Info } from './info.ts';
import { checkObject, infoOf, itemsOf, placedIn } from './manifest-info.ts';
import type { Plan, Selection } from './selection.ts';

export async function planPaths(
  context: CommandContext,
  selection: Selection,
  parsed: ParsedArguments,
): Promise<Plan> {
  const { filenames = [], kustomize = '' } = selection;
  const files =
    kustomize === '' ? await findManifests(filenames, selection.recursive === true, context.io) : undefined;
  throwFailures(files?.failures ?? []);
  if (parsed.types.length > 0) {
    throw new Error(
      'when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well',
    );
  }
  if (parsed.names.length > 0) throw new Error('name cannot be provided when a path is specified');
  if (parsed.tuples.length > 0)
    throw new Error('resource/name arguments cannot be provided when a path is specified');
  const selector = parsed.labelSelector === undefined ? undefined : readSelector(parsed.labelSelector);
  const isWanted = ({ object }: Info) => selector?.matches(object?.metadata.labels ?? {}) ?? true;
  return {
    singleItemImplied: files?.single ?? false,
    async *visit() {
      let sources = files?.sources;
      try {
        sources ??= [await kustomized(context, kustomize)];
      } catch (failure) {
        return yield asError(failure);
      }
      // Errors of unreadable documents are reported after the readable ones have been handled.
      const unread: Error[] = [];
      for (const source of sources) {
        for await (const one of readSource(context, { ...selection, isWanted }, source)) {
          if (one instanceof Unread) {
            if (!selection.continueOnError) return yield new Failures(toReport([one.failure], selection));
            unread.push(one.failure);
            if (one.endsFile) break;
          } else if (one instanceof Error) {
            yield one;
            if (!selection.continueOnError) return;
          } else yield one;
        }
      }
      if (unread.length > 0) yield new Failures(toReport(unread, selection));
    },
  };
}

function toReport(unread: readonly Error[], { failedLists }: Selection): readonly Error[] {
  if (failedLists === 'one' || (failedLists === undefined && unread.length > 1)) return unread;
  return unread.flatMap((one) => (one instanceof ListFailure ? one.failures : [one]));
}

/** Collects what can't be used in a file. */
class Unread {
  readonly failure: Error;
  readonly endsFile: boolean;

  constructor(failure: unknown, endsFile = false) {
    this.failure = asError(failure);
    this.endsFile = endsFile;
  }
}

/** A selection of objects in files; those that are not wanted are not checked for their namespace either. */
type FileSelection = Selection & { readonly isWanted: (info: Info) => boolean };

type Reading = AsyncGenerator<Info | Error | Unread>;

/** Builds the kustomization in a directory. */
async function kustomized(context: CommandContext, directory: string): Promise<ManifestSource> {
  const { kustomizedManifests } = await import('./kustomized-manifests.ts');
  const text = kustomizedManifests(context, directory);
  return { name: directory, read: async () => text };
}

function readSelector(text: string) {
  try {
    return parseLabelSelector(text);
  } catch (failure) {
    throw new Error(`the provided selector "${text}" is not valid: ${messageOf(failure)}`, {
      cause: failure,
    });
  }
}

async function* readSource(
  context: CommandContext,
  selection: FileSelection,
  source: ManifestSource,
): Reading {
  let text: string;
  try {
    text = await source.read();
  } catch (failure) {
    const isReported = failure instanceof ConnectionError;
    yield new Unread(
      isReported ? failure : new Error(`error reading "${source.name}": ${messageOf(failure)}`),
    );
    return;
  }
  const documents = readManifests(text);
  for (;;) {
    let next: IteratorResult<unknown>;
    try {
      next = documents.next();
    } catch (failure) {
      yield new Unread(new Error(`error parsing ${source.name}: ${messageOf(failure)}`));
      return;
    }
    if (next.done) return;
    if (next.value === null || next.value === undefined) continue;
    try {
      yield* readObject(context, selection, next.value, source.name);
    } catch (failure) {
      yield new Unread(failure);
    }
  }
}

async function* readObject(
  context: CommandContext,
  selection: FileSelection,
  document: unknown,
  source: string,
): Reading {
  try {
    await selection.validate?.(document, source);
  } catch (failure) {
    yield new Unread(new Error(`error validating "${source}": ${messageOf(failure)}`), true);
    return;
  }
  const object = checkObject(document, source, selection.typed);
  try {
    await (selection.typed ? checkTyped(object) : checkMetadata(object));
  } catch (failure) {
    yield new Unread(new Error(`unable to decode "${source}": ${asError(failure).message}`));
    return;
  }
  const isFlattened = selection.flatten !== false && isList(object);
  const objects = isFlattened ? itemsOf(object) : [object];
  if (isFlattened && selection.typed) for (const one of objects) await checkTyped(one);
  const failures: Error[] = [];
  for (const one of objects) {
    const info = await infoOf(context, selection, one, source);
    const found = info instanceof Error ? info : await latestOf(context, selection, info);
    if (!(found instanceof Error)) {
      if (selection.isWanted(found)) yield placedIn(selection, found);
    } else if (isFlattened) failures.push(found);
    else yield new Unread(found);
  }
  if (failures.length > 0) yield new Unread(new ListFailure(failures));
}

/** Looks it up in its own namespace, if it has one; a required namespace is checked against the result. */
async function latestOf(context: CommandContext, selection: Selection, read: Info): Promise<Info | Error> {
  const { latest, requireNamespace: _required, ...anywhere } = selection;
  const info = latest ? placedIn(anywhere, read) : read;
  if (!latest || info instanceof Error || info.name === '') return info;
  const { mapping, namespace, name } = info;
  if (mapping?.namespaced && namespace === '')
    return new Error(
      `no namespace set on resource ${mapping.group}/${mapping.version}, Resource=${mapping.resource} "${name}"`,
    );
  return fetchInfo(context, selection, info);
}
