/** Encodes an object in the negotiated form. */
import { writeAny } from '@coxswain/schema/json/write.ts';
import { encode, type Kind, type StructType } from '@coxswain/schema';
import { utf8 } from '../http/api-response.ts';
import { indentJson } from './indent-json.ts';
import type { Negotiated } from './negotiate.ts';
import { protobufOf } from './protobuf.ts';
import { yamlOfJson } from './yaml.ts';

/** `type` determines the order of members; without it they stay in their order. */
export const jsonOf = (type: StructType | undefined, object: unknown): string =>
  type === undefined ? writeAny(object) : encode(type, object);

/** @param struct the type to encode, if it isn't the kind's own: a list */
export function encodeObject(
  { type, pretty }: Encoding,
  kind: Kind,
  struct: StructType,
  object: unknown,
): Uint8Array {
  if (type.media === 'protobuf') return protobufOf(kind, struct, object);
  return textForm(type.media, pretty, jsonOf(struct, object));
}

type Encoding = Pick<Negotiated, 'type' | 'pretty'>;

/** JSON text as it is sent: upstream ends it with a line break unless it is pretty-printed. */
export function textForm(media: 'json' | 'yaml', pretty: boolean, json: string): Uint8Array {
  if (media === 'yaml') return utf8(yamlOfJson(json));
  return utf8(pretty ? indentJson(json) : `${json}\n`);
}
