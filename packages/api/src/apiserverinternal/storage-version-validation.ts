/** Validates StorageVersions: the version that each API server writes, and those that it can read. */

import {
  checkDns1035Label,
  checkDnsSubdomain,
  checkQualifiedName,
  emptyMessage,
  patternMessage,
  type FieldError,
  type FieldPath,
} from '@coxswain/apimachinery';
import { check, pathOf, Errors } from '../meta/checks.ts';
import type { StatusObject } from '../meta/kind-object.ts';
import { validateObjectMeta, type NameRule } from '../meta/object-meta-validation.ts';
import type {
  ServerStorageVersion,
  StorageVersionCondition,
  StorageVersionStatus,
} from './v1alpha1/storage-version-status.ts';

type Version = StatusObject<unknown, StorageVersionStatus>;

const statusPath = pathOf('status');

const versionName: NameRule = (name) => {
  const dot = name.lastIndexOf('.');
  if (dot < 0) return ['name must be in the form of <group>.<resource>'];
  return [
    ...checkDnsSubdomain(name.slice(0, dot)).map((message) => `the group segment ${message}`),
    ...checkDns1035Label(name.slice(dot + 1)).map((message) => `the resource segment ${message}`),
  ];
};

/** An update of the object itself has nothing to validate. */
export function validateStorageVersion(version: Version, old: Version | undefined): FieldError[] {
  if (old !== undefined) return [];
  const errors = new Errors();
  validateObjectMeta(version.metadata, { namespaced: false, name: versionName }, errors);
  return [...errors, ...validateStorageVersionStatus(version)];
}

export function validateStorageVersionStatus({ status }: Version): FieldError[] {
  const errors = new Errors();
  const { storageVersions = [], commonEncodingVersion, conditions = [] } = status;
  const seen = new Set<string>();
  for (const [index, server] of storageVersions.entries()) {
    const at = statusPath.child('storageVersions').index(index);
    const id = server.apiServerID ?? '';
    if (seen.has(id)) errors.duplicate(at.child('apiServerID'), id);
    seen.add(id);
    validateServer(server, at, errors);
  }
  validateCommon(commonEncodingVersion, storageVersions, errors);
  const lastOf = new Map<string | undefined, number>();
  for (const [index, condition] of conditions.entries()) {
    validateCondition(condition, lastOf.get(condition.type), statusPath.index(index), errors);
    lastOf.set(condition.type, index);
  }
  return errors;
}

function validateServer(
  {
    apiServerID = '',
    encodingVersion = '',
    decodableVersions = [],
    servedVersions = [],
  }: ServerStorageVersion,
  path: FieldPath,
  errors: Errors,
): void {
  const checkVersion = (version: string, at: FieldPath): void => {
    const messages = apiVersionMessages(version);
    if (messages.length > 0) errors.invalid(at, version, messages.join(','));
  };
  check(apiServerID, path.child('apiServerID'), checkDnsSubdomain, errors);
  checkVersion(encodingVersion, path.child('encodingVersion'));
  const decodablePath = path.child('decodableVersions');
  for (const [index, version] of decodableVersions.entries()) {
    checkVersion(version, decodablePath.index(index));
  }
  if (!decodableVersions.includes(encodingVersion)) {
    const detail = `decodableVersions must include encodingVersion ${encodingVersion}`;
    errors.invalid(decodablePath, decodableVersions.length === 0 ? null : decodableVersions, detail);
  }
  for (const [index, version] of servedVersions.entries()) {
    const at = path.child('servedVersions').index(index);
    checkVersion(version, at);
    if (decodableVersions.includes(version)) continue;
    const detail = `individual served version : ${version} must be included in decodableVersions : [${decodableVersions.join(' ')}]`;
    errors.invalid(at, version, detail);
  }
}

function validateCommon(
  common: string | null | undefined,
  servers: readonly ServerStorageVersion[],
  errors: Errors,
): void {
  const versions = new Set(servers.map(({ encodingVersion }) => encodingVersion ?? ''));
  const actual = versions.size === 1 ? [...versions][0]! : undefined;
  const wrong = (detail: string): void =>
    void errors.invalid(statusPath.child('commonEncodingVersion'), common ?? null, detail);
  if (actual === undefined) {
    if (common == null) return;
    wrong(
      'should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet',
    );
  } else if (common == null) wrong(`the common encoding version is ${actual}`);
  else if (common !== actual) wrong(`the actual common encoding version is ${actual}`);
}

/** Upstream's paths don't contain `conditions`. */
function validateCondition(
  { type = '', status = '', reason, message }: StorageVersionCondition,
  earlier: number | undefined,
  path: FieldPath,
  errors: Errors,
): void {
  if (earlier !== undefined) {
    const detail = `the type of the condition is not unique, it also appears in conditions[${earlier}]`;
    errors.invalid(path.child('type'), type, detail);
  }
  check(type, path.child('type'), checkQualifiedName, errors);
  check(status, path.child('status'), checkQualifiedName, errors);
  if (!reason) errors.required(path.child('reason'));
  if (!message) errors.required(path.child('message'));
}

const labelFormat = '[a-z]([-a-z0-9]*[a-z0-9])?';

function apiVersionMessages(apiVersion: string): readonly string[] {
  const parts = apiVersion.split('/');
  if (parts.length > 2) {
    const described = patternMessage(
      "a DNS-1035 label, which must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
      labelFormat,
      'my-name',
      'abc-123',
    );
    return [
      `an apiVersion is ${described} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')`,
    ];
  }
  const part = (name: string, text: string, test: (text: string) => readonly string[]): string[] =>
    (text === '' ? [emptyMessage] : test(text)).map((message) => `${name} part: ${message}`);
  return [
    ...(parts.length === 2 ? part('group', parts[0]!, checkDnsSubdomain) : []),
    ...part('version', parts.at(-1)!, checkDns1035Label),
  ];
}
