/** Sets one value in fields of many objects (the built-in ValueAddTransformer). */
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import { decodeGo } from '@coxswain/apimachinery/go-decode.ts';
import { pluginShapes } from '../configuration/shapes.ts';
import { joinPaths } from '../loading/files.ts';
import type { Loader } from '../loading/loader.ts';
import type { Selector } from '../resources/resource-map.ts';
import { scalar, type YamlNode } from '../yaml/node.ts';
import { requireKind, setScalar } from '../yaml/fields.ts';
import { lookupCreate, splitPath } from '../yaml/path.ts';
import { moveToNamespace } from './namespace.ts';
import type { Transformer } from './transformer.ts';

interface ValueAddTarget {
  readonly selector?: Selector;
  readonly fieldPath?: string;
  readonly filePathPosition?: number;
}

export interface ValueAddArguments {
  readonly value?: string;
  readonly targets?: readonly ValueAddTarget[];
  readonly targetFilePath?: string;
}

export function valueAddTransformer(given: ValueAddArguments, loader: Loader): Transformer {
  const value = (given.value ?? '').trim() || loader.name;
  const targets = [...(given.targets ?? []), ...targetsOfFile(given.targetFilePath ?? '', loader)];
  if (targets.length === 0) throw new Error('must specify at least one target');
  for (const { fieldPath = '', filePathPosition = 0 } of targets) {
    if (fieldPath === '') throw new Error('fieldPath cannot be empty');
    if (filePathPosition < 0) {
      throw new Error(`value of FilePathPosition (${filePathPosition}) cannot be negative`);
    }
  }
  return (map) => {
    for (const target of targets) {
      const resources = target.selector === undefined ? map.resources : map.select(target.selector);
      for (const { node } of resources) addValue(node, value, target);
    }
  };
}

function targetsOfFile(path: string, loader: Loader): readonly ValueAddTarget[] {
  if (path === '') return [];
  const read = decodeGo(readYaml(loader.loadText(path)), pluginShapes.ValueAddTransformer, {
    lenientStrings: true,
  }) as ValueAddArguments | undefined;
  return read?.targets ?? [];
}

function addValue(
  node: YamlNode,
  value: string,
  { fieldPath = '', filePathPosition = 0 }: ValueAddTarget,
): void {
  if (fieldPath === 'metadata/namespace') return moveToNamespace(node, value, []);
  const field = lookupCreate(node, splitPath(fieldPath, '/'), 'scalar');
  if (field === undefined) return;
  requireKind(field, 'scalar');
  setScalar(
    field,
    scalar(filePathPosition > 0 ? insertPart(field.value, filePathPosition - 1, value) : value),
  );
}

/** Inserts a component into a path; what precedes the first slash stays in front. */
function insertPart(path: string, position: number, part: string): string {
  const parts = path.split('/');
  const at = Math.min(position + (parts[0] === '' && parts.length > 1 ? 1 : 0), parts.length);
  return joinPaths(parts.toSpliced(at, 0, part).join('/'));
}
