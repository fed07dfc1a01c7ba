/** Positions in the sources according to Node: of functions from its inspector, of bundles from their source maps. */

import { existsSync, readFileSync } from 'node:fs';
import { Session, type InspectorNotification, type Debugger, type Runtime } from 'node:inspector';
import { SourceMap } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Work } from '@coxswain/apimachinery';
import type { Places, SourcePlace } from '@coxswain/trace/places.ts';

/** @param loadedColumn maps a column of a running module to the loaded file */
export function nodePlaces(
  loadedColumn: (url: string, line: number, column: number) => number = (_url, _line, column) => column,
): Places {
  const maps = new Map<string, SourceMap | undefined>();
  const functions = new FunctionPlaces();
  const source = (url: string, line: number, columnNow: number): SourcePlace => {
    const column = loadedColumn(url, line, columnNow);
    const file = url.startsWith('file:') ? fileURLToPath(url) : url;
    if (!maps.has(file)) maps.set(file, mapBeside(file));
    const original = maps.get(file)?.findOrigin(line, column);
    if (original !== undefined && 'fileName' in original)
      return { file: inProject(original.fileName), line: original.lineNumber, column: original.columnNumber };
    return { file: inProject(file), line, column };
  };
  return {
    source,
    definition(work) {
      const found = functions.find(work);
      return found && source(found.url, found.line, found.column);
    },
  };
}

/** Returns the source map next to a bundle. */
function mapBeside(file: string): SourceMap | undefined {
  const compressed = `${file}.map.gz`;
  if (!file.endsWith('js') || !existsSync(compressed)) return undefined;
  return new SourceMap(JSON.parse(gunzipSync(readFileSync(compressed)).toString()));
}

/** Paths start with this directory, whatever the project's own directory is called. */
function inProject(file: string): string {
  const parts = file.split(path.sep);
  const at = parts.lastIndexOf('packages');
  return at < 0 ? file : parts.slice(at).join('/');
}

interface FunctionPlace {
  readonly url: string;
  readonly line: number;
  readonly column: number;
}

const holderName = '__coxswainFunctionToFind';

/**
 * Finds where functions are defined. The inspector is attached only during a query, so that nothing else slows down.
 */
class FunctionPlaces {
  readonly #known = new WeakMap<Work, FunctionPlace | undefined>();
  readonly #urls = new Map<string, string>();

  find(work: Work): FunctionPlace | undefined {
    if (!this.#known.has(work)) this.#known.set(work, this.#ask(work));
    return this.#known.get(work);
  }

  #ask(work: Work): FunctionPlace | undefined {
    const session = new Session();
    session.connect();
    const globals = globalThis as Record<string, unknown>;
    globals[holderName] = work;
    try {
      const found = evaluated(session, holderName);
      const location = found === undefined ? undefined : this.#locationOf(session, found);
      if (location === undefined) return undefined;
      const url = this.#urlOf(session, location.scriptId);
      return url === undefined
        ? undefined
        : { url, line: location.lineNumber + 1, column: (location.columnNumber ?? 0) + 1 };
    } finally {
      delete globals[holderName];
      session.disconnect();
    }
  }

  #locationOf(session: Session, objectId: string): Debugger.Location | undefined {
    const internal = new Map(internalsOf(session, objectId).map(({ name, value }) => [name, value]));
    const target = internal.get('[[TargetFunction]]')?.objectId;
    // A bound function has the position of its target.
    if (target !== undefined) return this.#locationOf(session, target);
    return internal.get('[[FunctionLocation]]')?.value as unknown as Debugger.Location | undefined;
  }

  #urlOf(session: Session, scriptId: string): string | undefined {
    if (!this.#urls.has(scriptId)) {
      const note = ({ params }: InspectorNotification<Debugger.ScriptParsedEventDataType>) =>
        this.#urls.set(params.scriptId, params.url);
      session.on('Debugger.scriptParsed', note);
      session.post('Debugger.enable');
      session.post('Debugger.disable');
      session.off('Debugger.scriptParsed', note);
    }
    return this.#urls.get(scriptId);
  }
}

/** Calls back synchronously, because the session belongs to its own thread. */
function evaluated(session: Session, expression: string): string | undefined {
  let id: string | undefined;
  session.post('Runtime.evaluate', { expression: `globalThis.${expression}` }, (_error, answer) => {
    id = answer?.result.objectId;
  });
  return id;
}

function internalsOf(session: Session, objectId: string): readonly Runtime.InternalPropertyDescriptor[] {
  let properties: readonly Runtime.InternalPropertyDescriptor[] = [];
  session.post('Runtime.getProperties', { objectId, ownProperties: true }, (_error, answer) => {
    properties = answer?.internalProperties ?? [];
  });
  return properties;
}
