/** Validates ConfigMaps and Secrets: their data, and immutability. */

import { checkConfigMapKey, semanticDeepEqual, type FieldError } from '@coxswain/apimachinery';
import { check, immutable, pathOf, Errors } from '../../meta/checks.ts';
import { jsonProblem } from '../../meta/json-text.ts';
import type { MetaObject } from '../../meta/kind-object.ts';
import {
  subdomainName,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../../meta/object-meta-validation.ts';

type Data = Readonly<Record<string, string>>;

interface ConfigMapObject extends MetaObject {
  data?: Data;
  binaryData?: Data;
  immutable?: boolean;
}

interface SecretObject extends MetaObject {
  /** Base64. */
  data?: Data;
  type?: string;
  immutable?: boolean;
}

const rules = { namespaced: true, name: subdomainName };
const dataBytesMax = 1024 * 1024;
const dataPath = pathOf('data');

export function validateConfigMap(map: ConfigMapObject, old: ConfigMapObject | undefined): FieldError[] {
  const errors = new Errors();
  if (old !== undefined) {
    validateObjectMetaUpdate(map.metadata, old.metadata, errors);
    if (old.immutable) validateSealed(map, old, ['data', 'binaryData'], errors);
  }
  validateObjectMeta(map.metadata, rules, errors);
  let bytes = 0;
  for (const key of Object.keys(map.data ?? {}).sort()) {
    check(key, dataPath.key(key), checkConfigMapKey, errors);
    if (map.binaryData?.[key] !== undefined) {
      errors.invalid(dataPath.key(key), key, 'duplicate of key present in binaryData');
    }
    bytes += textBytes(map.data![key]!);
  }
  for (const key of Object.keys(map.binaryData ?? {}).sort()) {
    check(key, pathOf('binaryData').key(key), checkConfigMapKey, errors);
    bytes += base64Bytes(map.binaryData![key]!);
  }
  if (bytes > dataBytesMax) errors.tooLong('[]', dataBytesMax);
  return errors;
}

const encoder = new TextEncoder();
const textBytes = (text: string): number => (text.length < 1024 ? text.length : encoder.encode(text).length);
const base64Bytes = (text: string): number =>
  Math.floor((text.length * 3) / 4) - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);

function validateSealed<T extends { immutable?: boolean }>(
  object: T,
  old: T,
  members: readonly (keyof T & string)[],
  errors: Errors,
): void {
  const sealed = 'field is immutable when `immutable` is set';
  if (!object.immutable) errors.forbidden('immutable', sealed);
  for (const member of members) {
    if (!semanticDeepEqual(object[member], old[member])) errors.forbidden(member, sealed);
  }
}

export function validateSecret(secret: SecretObject, old: SecretObject | undefined): FieldError[] {
  const errors = new Errors();
  if (old !== undefined) {
    validateObjectMetaUpdate(secret.metadata, old.metadata, errors);
    immutable(secret.type ?? '', old.type ?? '', 'type', errors);
    if (old.immutable) validateSealed(secret, old, ['data'], errors);
  }
  validateObjectMeta(secret.metadata, rules, errors);
  let bytes = 0;
  for (const key of Object.keys(secret.data ?? {}).sort()) {
    check(key, dataPath.key(key), checkConfigMapKey, errors);
    bytes += base64Bytes(secret.data![key]!);
  }
  if (bytes > dataBytesMax) errors.tooLong(dataPath, dataBytesMax);
  validateType(secret, errors);
  return errors;
}

const accountAnnotation = 'kubernetes.io/service-account.name';

function validateType({ metadata, type, data = {} }: SecretObject, errors: Errors): void {
  const missing = (...keys: string[]): void => {
    for (const key of keys) errors.required(dataPath.key(key));
  };
  switch (type) {
    case 'kubernetes.io/service-account-token':
      if (!metadata.annotations?.[accountAnnotation]) {
        errors.required(pathOf('metadata', 'annotations').key(accountAnnotation));
      }
      break;
    case 'kubernetes.io/dockercfg':
      return validateJson(data, '.dockercfg', errors);
    case 'kubernetes.io/dockerconfigjson':
      return validateJson(data, '.dockerconfigjson', errors);
    case 'kubernetes.io/basic-auth':
      if (data['username'] === undefined && data['password'] === undefined) missing('username', 'password');
      break;
    case 'kubernetes.io/ssh-auth':
      if (!data['ssh-privatekey']) missing('ssh-privatekey');
      break;
    case 'kubernetes.io/tls':
      missing(...['tls.crt', 'tls.key'].filter((key) => data[key] === undefined));
  }
}

/** Errors don't show the content. */
function validateJson(data: Data, key: string, errors: Errors): void {
  if (data[key] === undefined) {
    errors.required(dataPath.key(key));
    return;
  }
  const problem = jsonProblem(atob(data[key]), 'object', 'map[string]interface {}');
  if (problem !== undefined) {
    errors.invalid(dataPath.key(key), '<secret contents redacted>', problem);
  }
}
