import {
  checkDns1035Label,
  checkDnsSubdomain,
  checkPathSegment,
  checkPortNumber,
  goQuote,
  type FieldError,
} from '@coxswain/apimachinery';
import { check, pathOf, Errors } from '../meta/checks.ts';
import type { StatusObject } from '../meta/kind-object.ts';
import { validateMeta, validateObjectMetaUpdate } from '../meta/object-meta-validation.ts';
import type { APIServiceSpec, APIServiceStatus } from './v1/api-service-spec.ts';

type Service = StatusObject<APIServiceSpec, APIServiceStatus>;

const path = pathOf('spec');
const groupPriorityMax = 20_000;
const versionPriorityMax = 1000;
const statuses = ['True', 'False', 'Unknown'];

export function validateApiService({ metadata, spec }: Service, old: Service | undefined): FieldError[] {
  const errors = new Errors();
  const { group = '', version = '', groupPriorityMinimum = 0, versionPriority = 0, service } = spec;
  const expected = `${version}.${group}`;
  const name = (text: string): readonly string[] => {
    const messages = checkPathSegment(text);
    if (messages.length > 0 || text === expected) return messages;
    return [`must be \`spec.version+"."+spec.group\`: ${goQuote(expected)}`];
  };
  const rules = { namespaced: false, name, coreFinalizers: false, whole: true };
  validateMeta(metadata, old?.metadata, rules, errors);
  const invalid = (field: string, value: unknown, detail: string): void =>
    void errors.invalid(path.child(field), value, detail);
  if (group === '' && version !== 'v1') {
    const detail = 'only v1 may have an empty group and it better be legacy kube';
    errors.required(path.child('group'), detail);
  }
  if (group !== '') check(group, path.child('group'), checkDnsSubdomain, errors);
  check(version, path.child('version'), checkDns1035Label, errors);
  if (groupPriorityMinimum <= 0 || groupPriorityMinimum > groupPriorityMax) {
    const detail = `must be positive and less than ${groupPriorityMax}`;
    invalid('groupPriorityMinimum', groupPriorityMinimum, detail);
  }
  if (versionPriority <= 0 || versionPriority > versionPriorityMax) {
    invalid('versionPriority', versionPriority, `must be positive and less than ${versionPriorityMax}`);
  }
  const bundle = spec.caBundle ?? '';
  if (service == null) {
    if (bundle !== '') {
      const bytes = Uint8Array.fromBase64(bundle).length;
      invalid('caBundle', `${bytes} bytes`, 'local APIServices may not have a caBundle');
    }
    if (spec.insecureSkipTLSVerify) {
      invalid('insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify');
    }
    return errors;
  }
  for (const member of ['namespace', 'name'] as const) {
    if (!service[member]) errors.required(path.child('service', member));
  }
  const port = service.port ?? 0;
  const messages = checkPortNumber(port);
  if (messages.length > 0) {
    const detail = `port is not valid: ${messages.join(', ')}`;
    errors.invalid(path.child('service', 'port'), port, detail);
  }
  if (spec.insecureSkipTLSVerify && bundle !== '') {
    invalid('insecureSkipTLSVerify', true, 'may not be true if caBundle is present');
  }
  return errors;
}

export function validateApiServiceStatus({ metadata, status }: Service, old: Service): FieldError[] {
  const errors = new Errors();
  validateObjectMetaUpdate(metadata, old.metadata, errors, false);
  for (const [index, condition] of (status?.conditions ?? []).entries()) {
    if (statuses.includes(condition.status ?? '')) continue;
    const at = pathOf('status', 'conditions').index(index).child('status');
    errors.notSupported(at, condition.status ?? '', statuses);
  }
  return errors;
}
