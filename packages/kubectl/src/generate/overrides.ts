/** `--overrides`: a patch of the generated object. */
import type { KubeObject } from '@coxswain/apimachinery';
import { string } from '@coxswain/cobra';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { typeMetaOfValue } from '@coxswain/schema';
import { parseJson } from '@coxswain/schema/json/parsed.ts';
import type { CommandContext } from '../context.ts';
import { applyPatch } from '../patch/apply-patch.ts';
import { patchSchemaOf } from '../patch/kind-schema.ts';
import { noPatchSchema } from '../patch/patch-schema.ts';
import { checkTyped } from '../resource/check-decodable.ts';
import { withKnownFields } from '../typed.ts';

export const overrideFlags = {
  overrideType: string({
    default: 'merge',
    usage: 'The type of patch in --overrides: json, merge or strategic.',
  }),
  overrides: string({
    usage: 'JSON that overrides fields of the generated object. Must contain apiVersion.',
  }),
};

export async function overridden(
  context: CommandContext,
  object: KubeObject,
  { overrides, overrideType }: { readonly overrides: string; readonly overrideType: string },
): Promise<KubeObject> {
  if (overrides === '') return object;
  if (overrideType !== 'json' && overrideType !== 'merge' && overrideType !== 'strategic') {
    throw new Error(`invalid override type: ${overrideType}`);
  }
  const [group, version] = object.apiVersion?.includes('/')
    ? object.apiVersion.split('/')
    : ['', object.apiVersion ?? ''];
  const schema =
    overrideType === 'strategic'
      ? await patchSchemaOf(context, group ?? '', version ?? '', object.kind ?? '')
      : noPatchSchema;
  const patched = applyPatch(object, overrideType, readPatch(overrides, overrideType), schema);
  await checkTyped(patched);
  return withKnownFields(patched);
}

type OverrideType = 'json' | 'merge' | 'strategic';

/** @throws Error with the message of the library that upstream uses for this type of patch */
function readPatch(text: string, type: OverrideType): unknown {
  if (type === 'json') {
    const { value: patch } = parseJson(text);
    if (Array.isArray(patch)) return patch;
    throw new Error(`json: cannot unmarshal ${goKind(patch)} into Go value of type jsonpatch.Patch`);
  }
  const patch = readJson(text);
  if (isJsonObject(patch)) return patch;
  // A list takes the place of the object, which then cannot be read.
  if (type === 'merge' && Array.isArray(patch)) {
    try {
      typeMetaOfValue(patch);
    } catch (failure) {
      throw new Error(`couldn't get version/kind; json parse error: ${messageOf(failure)}`, {
        cause: failure,
      });
    }
  }
  throw new Error(type === 'merge' ? 'Invalid JSON Patch' : 'invalid JSON document');
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isJsonObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const goKind = (value: unknown): string => (isJsonObject(value) ? 'object' : typeof value);
