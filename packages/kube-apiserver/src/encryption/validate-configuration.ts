/** Validates an `EncryptionConfiguration`, in upstream's order and words. */
import { invalidError, requiredError, type FieldError } from '@coxswain/apimachinery';
import { PrintedValue } from '@coxswain/apimachinery/field-error.ts';
import { aesKeyBytes } from '@coxswain/storage/encryption/aes.ts';
import { secretboxKeyBytes } from '@coxswain/storage/encryption/secretbox.ts';
import {
  kmsConfigurationOf,
  type KeyConfiguration,
  type KmsConfiguration,
  type ProviderConfiguration,
  type ResourceConfiguration,
} from './encryption-configuration.ts';
import { isSameResource, parseGroupResource } from './group-resource.ts';

export function validateConfiguration(
  configuration: readonly ResourceConfiguration[],
  reloads: boolean,
): FieldError[] {
  if (configuration.length === 0) return [requiredError('resources', atLeastOne('resources'))];
  const kmsNames = new Set<string>();
  return configuration.flatMap(({ resources, providers }, index) => {
    const field = `resources[${index}]`;
    return [
      ...(resources.length === 0
        ? [requiredError(`${field}.resources`, atLeastOne(`${field}.resources`))]
        : []),
      ...overlaps(resources, `${field}.resources`),
      ...resources.flatMap((resource, at) => nameErrors(resource, `${field}.resources[${at}]`)),
      ...(providers.length === 0
        ? [requiredError(`${field}.providers`, atLeastOne(`${field}.providers`))]
        : []),
      ...providers.flatMap((provider, at) =>
        providerErrors(provider, `${field}.providers[${at}]`, kmsNames, reloads),
      ),
    ];
  });
}

const atLeastOne = (what: string): string => `at least one ${what} is required`;

function overlaps(resources: readonly string[], field: string): FieldError[] {
  if (resources.length < 2) return [];
  const parsed = resources.map(parseGroupResource);
  let hasOverlap = false;
  let hasDuplicate = false;
  for (const [i, one] of parsed.entries()) {
    for (const [j, other] of parsed.entries()) {
      if (i === j) continue;
      // The first pair of duplicates does not count as an overlap.
      if (isSameResource(one, other) && !hasDuplicate) hasDuplicate = true;
      else if (one.group === '*' && one.resource === '*') hasOverlap = true;
      else if (one.group === other.group && (one.resource === '*' || other.resource === '*')) {
        hasOverlap = true;
      }
    }
  }
  return [
    ...(hasDuplicate
      ? [invalidError(field, resources, 'the same resource cannot be specified multiple times')]
      : []),
    ...(hasOverlap
      ? [
          invalidError(
            field,
            resources,
            "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked",
          ),
        ]
      : []),
  ];
}

/** Stored but not served. */
const unserved = ['apiserveripinfo', 'serviceipallocations', 'servicenodeportallocations'];

function nameErrors(name: string, field: string): FieldError[] {
  const refuse = (why: string) => [invalidError(field, name, why)];
  if (name.toLowerCase() !== name) return refuse('resource name should not contain capital letters');
  if (name === '*') {
    return refuse(
      "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources",
    );
  }
  if (unserved.includes(name)) return refuse('resources which do not have REST API/s cannot be encrypted');
  const { group, resource } = parseGroupResource(name);
  if (group === 'events.k8s.io') {
    return refuse(
      "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file",
    );
  }
  if (group === 'extensions') {
    return refuse("'extensions' group has been removed and cannot be used for encryption");
  }
  if (group === '*' && resource !== '*') {
    return refuse('encrypting the same resource across groups is not supported');
  }
  return [];
}

function providerErrors(
  provider: ProviderConfiguration,
  field: string,
  kmsNames: Set<string>,
  reloads: boolean,
): FieldError[] {
  const errors = choiceErrors(provider, field);
  const kms = kmsConfigurationOf(provider);
  if (kms !== undefined) {
    errors.push(...kmsErrors(kms, `${field}.kms`, kmsNames, reloads));
    kmsNames.add(kms.name);
  } else if (provider.aesgcm) {
    errors.push(...keysErrors(provider.aesgcm.keys, `${field}.aesgcm.keys`, aesKeyBytes));
  } else if (provider.aescbc) {
    errors.push(...keysErrors(provider.aescbc.keys, `${field}.aescbc.keys`, aesKeyBytes));
  } else if (provider.secretbox) {
    errors.push(...keysErrors(provider.secretbox.keys, `${field}.secretbox.keys`, [secretboxKeyBytes]));
  }
  return errors;
}

function choiceErrors(provider: ProviderConfiguration, field: string): FieldError[] {
  const given = Object.values(provider).filter((choice) => choice !== undefined && choice !== null).length;
  if (given === 1) return [];
  const why =
    given === 0
      ? 'provider does not contain any of the expected providers: KMS, AESGCM, AESCBC, Secretbox, Identity'
      : 'more than one provider specified in a single element, should split into different list elements';
  return [invalidError(field, new PrintedValue(printed(provider)), why)];
}

/** As Go prints the internal type. */
function printed(provider: ProviderConfiguration): string {
  const keys = (choice: { readonly keys?: readonly KeyConfiguration[] | null } | null | undefined) =>
    choice
      ? { Keys: choice.keys?.map(({ name, secret }) => ({ Name: name, Secret: secret })) ?? null }
      : null;
  const kms = kmsConfigurationOf(provider);
  return JSON.stringify({
    AESGCM: keys(provider.aesgcm),
    AESCBC: keys(provider.aescbc),
    Secretbox: keys(provider.secretbox),
    Identity: provider.identity ? {} : null,
    KMS:
      kms === undefined
        ? null
        : {
            APIVersion: kms.apiVersion,
            Name: kms.name,
            CacheSize: kms.cacheSize ?? null,
            Endpoint: kms.endpoint,
            Timeout: kms.timeout,
          },
  });
}

function keysErrors(
  keys: readonly KeyConfiguration[] | null | undefined,
  field: string,
  lengths: readonly number[],
): FieldError[] {
  if (!keys?.length) return [requiredError(field, atLeastOne('keys'))];
  return keys.flatMap(({ name, secret }, index) => {
    const at = `${field}[${index}]`;
    return [
      ...(name ? [] : [requiredError(`${at}.name`, 'name is a mandatory field for a key')]),
      ...secretErrors(secret, `${at}.secret`, lengths),
    ];
  });
}

function secretErrors(secret: string, field: string, lengths: readonly number[]): FieldError[] {
  if (!secret) return [requiredError(field, 'secret is a mandatory field for a key')];
  const text = secret.replaceAll(/[\r\n]/g, '');
  if (!base64.test(text)) return [invalidError(field, 'REDACTED', 'secrets must be base64 encoded')];
  const { length } = Buffer.from(text, 'base64');
  if (lengths.includes(length)) return [];
  const expected = `[${lengths.join(' ')}]`;
  return [
    invalidError(
      field,
      'REDACTED',
      `secret is not of the expected length, got ${length}, expected one of ${expected}`,
    ),
  ];
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function kmsErrors(
  kms: KmsConfiguration,
  field: string,
  names: ReadonlySet<string>,
  reloads: boolean,
): FieldError[] {
  const { apiVersion, name, cacheSize, timeout, timeoutMs } = kms;
  const errors: FieldError[] = [];
  if (name === '') errors.push(requiredError(`${field}.name`, 'name is a mandatory field for a provider'));
  if (apiVersion !== 'v1' && name.includes(':')) {
    errors.push(
      invalidError(`${field}.name`, name, `invalid KMS provider name ${name}, must not contain ':'`),
    );
  }
  if ((reloads || apiVersion !== 'v1') && names.has(name)) {
    errors.push(
      invalidError(`${field}.name`, name, `duplicate KMS provider name ${name}, names must be unique`),
    );
  }
  if (timeoutMs <= 0) {
    errors.push(invalidError(`${field}.timeout`, timeout, 'timeout should be a positive value'));
  }
  errors.push(...endpointErrors(kms.endpoint, `${field}.endpoint`));
  if (apiVersion !== 'v1' && cacheSize !== undefined) {
    errors.push(invalidError(`${field}.cachesize`, cacheSize, 'cachesize is not supported in v2'));
  }
  if (apiVersion === 'v1' && cacheSize === 0) {
    errors.push(
      invalidError(
        `${field}.cachesize`,
        cacheSize,
        'cachesize should be a positive value, or negative to disable',
      ),
    );
  }
  if (apiVersion !== 'v1' && apiVersion !== 'v2') {
    const why = 'unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported';
    errors.push(invalidError(`${field}.apiVersion`, apiVersion, why));
  }
  return errors;
}

function endpointErrors(endpoint: string, field: string): FieldError[] {
  if (!endpoint) return [requiredEndpoint(field)];
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(endpoint)?.[1]?.toLowerCase() ?? '';
  if (scheme === 'unix') return [];
  const why = `unsupported scheme "${scheme}" for KMS provider, only unix is supported`;
  return [invalidError(field, endpoint, why)];
}

const requiredEndpoint = (field: string): FieldError =>
  invalidError(field, '', 'endpoint is a mandatory field for a kms');
