/** Makes the transformers of each resource from a configuration. */
import { aggregateFieldErrors, type GroupResource } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { aesCbc, aesGcm } from '@coxswain/storage/encryption/aes.ts';
import { secretbox } from '@coxswain/storage/encryption/secretbox.ts';
import {
  firstMatching,
  identity,
  type PrefixedTransformer,
  type Transformer,
} from '@coxswain/storage/encryption/transformer.ts';
import {
  kmsConfigurationOf,
  readEncryptionConfiguration,
  type KeyConfiguration,
  type ProviderConfiguration,
} from './encryption-configuration.ts';
import { parseGroupResource, resourceText } from './group-resource.ts';
import { openKmsProvider, type KmsProvider, type KmsProviderParts } from './kms-provider.ts';
import { observedChoices } from './observed-transformer.ts';
import { validateConfiguration } from './validate-configuration.ts';

export interface ResourceTransformers {
  transformerFor(resource: GroupResource): Transformer;
  readonly kmsProviders: readonly KmsProvider[];
  close(): void;
}

/**
 * Resolves when each key service was called once, successfully or not.
 * @throws Error with upstream's message for an invalid configuration
 */
export async function resourceTransformers(
  text: string,
  file: string,
  reloads: boolean,
  parts: KmsProviderParts,
): Promise<ResourceTransformers> {
  const configuration = readFrom(text, file);
  const errors = validateConfiguration(configuration, reloads);
  if (errors.length > 0) throw new Error(`error while parsing file: ${aggregateFieldErrors(errors)}`);
  const kmsProviders: KmsProvider[] = [];
  const choices = new Map<string, PrefixedTransformer[]>();
  try {
    for (const { resources, providers } of configuration) {
      const made: PrefixedTransformer[] = [];
      for (const provider of providers) made.push(await choiceOf(provider, parts, kmsProviders));
      for (const resource of resources) add(choices, parseGroupResource(resource), made);
    }
  } catch (failure) {
    for (const provider of kmsProviders) provider.close();
    throw new Error(`error while building transformers: ${messageOf(failure)}`, { cause: failure });
  }
  const made = new Map<string, Transformer>();
  const make = (resource: string, group: string): Transformer => {
    const list =
      choices.get(resource) ?? choices.get(resourceText({ group, resource: '*' })) ?? choices.get('*.*');
    if (list === undefined) return identity;
    return observedChoices(list, parts.metrics.ofTransformations(resource), parts.clock);
  };
  return {
    transformerFor({ group, resource }) {
      const name = resourceText({ group, resource });
      let transformer = made.get(name);
      if (transformer === undefined) made.set(name, (transformer = make(name, group)));
      return transformer;
    },
    kmsProviders,
    close() {
      for (const provider of kmsProviders) provider.close();
    },
  };
}

function readFrom(text: string, file: string) {
  try {
    return readEncryptionConfiguration(text);
  } catch (failure) {
    throw new Error(
      'error while parsing file: error decoding encryption provider configuration file ' +
        `${JSON.stringify(file)}: ${messageOf(failure)}`,
      { cause: failure },
    );
  }
}

/** @throws Error when an earlier rule already covers the resource */
function add(
  choices: Map<string, PrefixedTransformer[]>,
  resource: GroupResource,
  made: readonly PrefixedTransformer[],
): void {
  const text = resourceText(resource);
  for (const rule of [resourceText({ group: resource.group, resource: '*' }), '*.*']) {
    if (choices.has(rule)) {
      throw new Error(`resource ${JSON.stringify(text)} is masked by earlier rule ${JSON.stringify(rule)}`);
    }
  }
  choices.set(text, [...(choices.get(text) ?? []), ...made]);
}

async function choiceOf(
  provider: ProviderConfiguration,
  parts: KmsProviderParts,
  kmsProviders: KmsProvider[],
): Promise<PrefixedTransformer> {
  const { aesgcm, aescbc, secretbox: box } = provider;
  if (aesgcm) return keyed('k8s:enc:aesgcm:v1:', aesgcm.keys, 'AES', aesGcm);
  if (aescbc) return keyed('k8s:enc:aescbc:v1:', aescbc.keys, 'AES', aesCbc);
  if (box) return keyed('k8s:enc:secretbox:v1:', box.keys, 'Secretbox', secretbox);
  const kms = kmsConfigurationOf(provider);
  if (kms === undefined) return { prefix: '', transformer: identity };
  const opened = await openKmsProvider(kms, parts);
  kmsProviders.push(opened);
  return opened;
}

/** Each key's name precedes the values that it encrypted. */
function keyed(
  prefix: string,
  keys: readonly KeyConfiguration[] | null | undefined,
  name: string,
  transformerOf: (key: Uint8Array) => Transformer,
): PrefixedTransformer {
  const choices = (keys ?? []).map((key) => ({
    prefix: `${key.name}:`,
    transformer: transformerOf(Buffer.from(key.secret, 'base64')),
  }));
  return {
    prefix,
    transformer: firstMatching(choices, `no matching key was found for the provided ${name} transformer`),
  };
}
