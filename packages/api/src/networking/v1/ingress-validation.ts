import {
  checkDns1035Label,
  checkDnsLabel,
  checkDnsSubdomain,
  checkPathSegment,
  checkPortName,
  checkPortNumber,
  checkWildcardDnsSubdomain,
  parseIp,
  validateLegacyIp,
  type FieldError,
  type FieldPath,
} from '@coxswain/apimachinery';
import { wasSentEmpty, type ValidationContext } from '@coxswain/schema';
import { check, pathOf, Errors } from '../../meta/checks.ts';
import type { StatusObject } from '../../meta/kind-object.ts';
import { subdomainName, validateMeta, validateObjectMetaUpdate } from '../../meta/object-meta-validation.ts';
import type {
  HTTPIngressPath,
  IngressBackend,
  IngressRule,
  IngressSpec,
  IngressTLS,
} from './ingress-spec.ts';

interface IngressStatus {
  loadBalancer?: { ingress?: { ip?: string; hostname?: string }[] };
}

type IngressObject = StatusObject<IngressSpec, IngressStatus>;

interface Options {
  readonly invalidSecretNames: boolean;
  readonly invalidWildcardRules: boolean;
  readonly relaxedServiceNames: boolean;
}

const classAnnotation = 'kubernetes.io/ingress.class';
const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];
const specPath = pathOf('spec');

export function validateIngress(
  ingress: IngressObject,
  old: IngressObject | undefined,
  context: ValidationContext,
): FieldError[] {
  const errors = new Errors();
  const rules = { namespaced: true, name: subdomainName, whole: true };
  validateMeta(ingress.metadata, old?.metadata, rules, errors);
  validateSpec(ingress.spec, optionsOf(old?.spec, context), errors);
  const annotation = ingress.metadata.annotations?.[classAnnotation];
  const className = ingress.spec.ingressClassName;
  if (old === undefined && annotation !== undefined && className != null && annotation !== className) {
    errors.invalid(
      pathOf('annotations', classAnnotation),
      annotation,
      'must match `ingressClassName` when both are specified',
    );
  }
  return errors;
}

function optionsOf(old: IngressSpec | undefined, context: ValidationContext): Options {
  const relaxed = context.enabled('RelaxedServiceNameValidation');
  const strict = { invalidSecretNames: false, invalidWildcardRules: false, relaxedServiceNames: relaxed };
  if (old === undefined) return strict;
  const rules = old.rules ?? [];
  const backends = [
    old.defaultBackend,
    ...rules.flatMap((rule) => rule.http?.paths ?? []).map(({ backend }) => backend),
  ];
  return {
    invalidSecretNames: (old.tls ?? []).some(
      ({ secretName }) => secretName && checkDnsSubdomain(secretName).length > 0,
    ),
    invalidWildcardRules: rules.some((rule) => {
      const found = new Errors();
      if (rule.host?.includes('*'))
        validateHttp(rule, specPath, { ...strict, relaxedServiceNames: false }, found);
      return found.length > 0;
    }),
    relaxedServiceNames:
      relaxed ||
      backends.some((backend) => {
        const name = backend?.service?.name;
        return name && checkDnsLabel(name).length === 0 && checkDns1035Label(name).length > 0;
      }),
  };
}

function validateSpec(spec: IngressSpec, options: Options, errors: Errors): void {
  const rules = spec.rules ?? [];
  if (rules.length === 0 && spec.defaultBackend == null) {
    errors.invalid(
      specPath,
      spec.rules ?? (wasSentEmpty(spec, 'rules') ? [] : null),
      'either `defaultBackend` or `rules` must be specified',
    );
  }
  if (spec.defaultBackend != null) {
    validateBackend(spec.defaultBackend, specPath.child('defaultBackend'), options, errors);
  }
  for (const [index, rule] of rules.entries()) {
    validateRule(rule, specPath.child('rules').index(index), options, errors);
  }
  for (const [index, tls] of (spec.tls ?? []).entries()) {
    validateTls(tls, specPath.child('tls').index(index), options, errors);
  }
  if (spec.ingressClassName != null) {
    check(spec.ingressClassName, specPath.child('ingressClassName'), checkDnsSubdomain, errors);
  }
}

const checkHost = (host: string): readonly string[] =>
  host.includes('*') ? checkWildcardDnsSubdomain(host) : checkDnsSubdomain(host);

function validateTls(
  { hosts, secretName }: IngressTLS,
  path: FieldPath,
  options: Options,
  errors: Errors,
): void {
  for (const [index, host] of (hosts ?? []).entries()) {
    check(host, path.child('hosts').index(index), checkHost, errors);
  }
  if (secretName && !options.invalidSecretNames) {
    check(secretName, path.child('secretName'), checkDnsSubdomain, errors);
  }
}

function validateRule(rule: IngressRule, path: FieldPath, options: Options, errors: Errors): void {
  const { host } = rule;
  if (host) {
    const at = path.child('host');
    if (parseIp(host) !== undefined) {
      errors.invalid(at, host, 'must be a DNS name, not an IP address');
    }
    check(host, at, checkHost, errors);
  }
  if (!host?.includes('*') || !options.invalidWildcardRules) validateHttp(rule, path, options, errors);
}

function validateHttp({ http }: IngressRule, path: FieldPath, options: Options, errors: Errors): void {
  if (http == null) return;
  const at = path.child('http', 'paths');
  if ((http.paths ?? []).length === 0) errors.required(at);
  for (const [index, each] of (http.paths ?? []).entries()) {
    validateHttpPath(each, at.index(index), options, errors);
  }
}

const badSequences = ['//', '/./', '/../', '%2f', '%2F'];
const badSuffixes = ['/..', '/.'];

function validateHttpPath(
  { path: text = '', pathType, backend }: HTTPIngressPath,
  path: FieldPath,
  options: Options,
  errors: Errors,
): void {
  if (pathType == null) {
    errors.required(path.child('pathType'), 'pathType must be specified');
    return;
  }
  const invalid = (detail: string): void => void errors.invalid(path.child('path'), text, detail);
  const isLoose = pathType === 'ImplementationSpecific';
  if (!pathTypes.includes(pathType)) {
    errors.notSupported(path.child('pathType'), pathType, pathTypes);
  } else {
    if (!text.startsWith('/') && !(isLoose && text === '')) invalid('must be an absolute path');
    if (!isLoose) {
      for (const sequence of badSequences)
        if (text.includes(sequence)) invalid(`must not contain '${sequence}'`);
      for (const suffix of badSuffixes) if (text.endsWith(suffix)) invalid(`cannot end with '${suffix}'`);
    }
  }
  validateBackend(backend ?? {}, path.child('backend'), options, errors);
}

function validateBackend(
  { resource, service }: IngressBackend,
  path: FieldPath,
  options: Options,
  errors: Errors,
): void {
  if (resource != null && service != null) {
    errors.invalid(path, '', 'cannot set both resource and service backends');
  } else if (resource != null) {
    validateParameters(resource, path.child('resource'), errors);
  } else if (service != null) {
    const at = path.child('service');
    if (!service.name) errors.required(at.child('name'));
    else {
      const test = options.relaxedServiceNames ? checkDnsLabel : checkDns1035Label;
      check(service.name, at.child('name'), test, errors);
    }
    validateBackendPort(service.port ?? {}, path, errors);
  } else {
    errors.invalid(path, '', 'resource or service backend is required');
  }
}

function validateBackendPort(
  { name, number }: { name?: string; number?: number },
  path: FieldPath,
  errors: Errors,
): void {
  const at = path.child('service', 'port');
  if (name && number) errors.invalid(path, '', 'cannot set both port name & port number');
  else if (name) check(name, at.child('name'), checkPortName, errors);
  else if (number) {
    for (const message of checkPortNumber(number)) {
      errors.invalid(at.child('number'), number, message);
    }
  } else errors.required(path, 'port name or number is required');
}

/** A reference to an object in the same namespace, or to a cluster-scoped one. */
export function validateParameters(
  { apiGroup, kind, name }: { apiGroup?: string | null; kind?: string; name?: string },
  path: FieldPath,
  errors: Errors,
): void {
  if (apiGroup != null) check(apiGroup, path.child('apiGroup'), checkDnsSubdomain, errors);
  if (!kind) errors.required(path.child('kind'));
  else check(kind, path.child('kind'), checkPathSegment, errors);
  if (!name) errors.required(path.child('name'));
  else check(name, path.child('name'), checkPathSegment, errors);
}

export function validateIngressStatus(ingress: IngressObject, old: IngressObject): FieldError[] {
  const errors = new Errors();
  validateObjectMetaUpdate(ingress.metadata, old.metadata, errors);
  const stored = new Set((old.status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => ip || []));
  for (const [index, { ip, hostname }] of (ingress.status?.loadBalancer?.ingress ?? []).entries()) {
    const path = pathOf('status', 'loadBalancer', 'ingress').index(index);
    if (ip) errors.push(...validateLegacyIp(path.child('ip'), ip, stored));
    if (!hostname) continue;
    check(hostname, path.child('hostname'), checkDnsSubdomain, errors);
    if (parseIp(hostname) !== undefined) {
      const detail = 'must be a DNS name, not an IP address';
      errors.invalid(path.child('hostname'), hostname, detail);
    }
  }
  return errors;
}
