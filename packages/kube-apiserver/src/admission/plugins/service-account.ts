/** Sets every pod's service account, mounts its token and adds its image pull secrets. */
import { goQuote, type Random } from '@coxswain/apimachinery';
import type { AdmissionAttributes, AdmissionPlugin } from '@coxswain/apiserver';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ServiceAccount } from '@coxswain/api/core/v1/service-account.ts';
import { isTo, objectOf, on, refused } from '../attributes.ts';
import { resources, type ObjectReader } from '../../object-reader.ts';
import { mirrorPodProblem, secretProblem } from './service-account-secrets.ts';

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const volumePrefix = 'kube-api-access-';
const defaultAccount = 'default';
const mirrorPodAnnotation = 'kubernetes.io/config.mirror';
const enforceAnnotation = 'kubernetes.io/enforce-mountable-secrets';

/** Slightly over an hour: clients that don't refresh are only warned. */
const tokenSeconds = 3607;

export const serviceAccount = (objects: ObjectReader, random: Random): AdmissionPlugin => ({
  name: 'ServiceAccount',
  resources: [resources.pods],
  handles: on('CREATE', 'UPDATE'),
  concerns: (attributes) => isNew(attributes) || isEphemeral(attributes),
  async mutate(attributes) {
    if (!isNew(attributes)) return;
    const pod = objectOf<Pod>(attributes);
    if (!isMirror(pod)) {
      pod.spec.serviceAccountName ||= defaultAccount;
      // The deprecated field mirrors the new one.
      pod.spec.serviceAccount = pod.spec.serviceAccountName;
      const account = await accountOf(attributes, pod, objects);
      if (pod.spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true) {
        mountToken(pod, random);
      }
      if (!pod.spec.imagePullSecrets?.length && account.imagePullSecrets?.length) {
        pod.spec.imagePullSecrets = account.imagePullSecrets.map(({ name }) => ({ name }));
      }
    }
    await check(attributes, objects);
  },
  validate: (attributes) => check(attributes, objects),
});

const isNew = (attributes: AdmissionAttributes): boolean =>
  attributes.operation === 'CREATE' && isTo(attributes, resources.pods);

const isEphemeral = (attributes: AdmissionAttributes): boolean =>
  attributes.operation === 'UPDATE' && isTo(attributes, resources.pods, 'ephemeralcontainers');

async function check(attributes: AdmissionAttributes, objects: ObjectReader): Promise<void> {
  const pod = objectOf<Pod>(attributes);
  if (isNew(attributes) && isMirror(pod)) {
    const problem = mirrorPodProblem(pod);
    if (problem !== undefined) throw refused(attributes, problem);
    return;
  }
  if (!pod.spec.serviceAccountName) {
    throw refused(
      attributes,
      `no service account specified for pod ${attributes.namespace}/${pod.metadata.name ?? ''}`,
    );
  }
  const account = await accountOf(attributes, pod, objects);
  if (!/^(1|t|T|TRUE|true|True)$/.test(account.metadata.annotations?.[enforceAnnotation] ?? '')) return;
  const problem = secretProblem(pod, account, isEphemeral(attributes));
  if (problem !== undefined) throw refused(attributes, problem);
}

const isMirror = ({ metadata }: Pod): boolean => metadata.annotations?.[mirrorPodAnnotation] !== undefined;

async function accountOf(
  attributes: AdmissionAttributes,
  { spec }: Pod,
  objects: ObjectReader,
): Promise<ServiceAccount> {
  const { namespace } = attributes;
  const name = spec.serviceAccountName!;
  const found = await objects.get<ServiceAccount>(resources.serviceAccounts, namespace, name);
  if (found !== undefined) return found;
  throw refused(
    attributes,
    `error looking up service account ${namespace}/${name}: serviceaccount ${goQuote(name)} not found`,
  );
}

function mountToken({ spec }: Pod, random: Random): void {
  const existing = spec.volumes?.find(({ name }) => name.startsWith(volumePrefix));
  const volumeName = existing?.name ?? `${volumePrefix}${randomSuffix(random)}`;
  let isNeeded = false;
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    if (container.volumeMounts?.some((mount) => mount.mountPath === mountPath)) continue;
    isNeeded = true;
    container.volumeMounts = [
      ...(container.volumeMounts ?? []),
      { name: volumeName, readOnly: true, mountPath },
    ];
  }
  if (existing !== undefined || !isNeeded) return;
  spec.volumes = [...(spec.volumes ?? []), tokenVolume(volumeName)];
}

const tokenVolume = (name: string) => ({
  name,
  projected: {
    sources: [
      { serviceAccountToken: { expirationSeconds: tokenSeconds, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
    defaultMode: 0o644,
  },
});

/** Without vowels and similar digits, so that no words can result. */
const suffixLetters = 'bcdfghjklmnpqrstvwxz2456789';

const randomSuffix = (random: Random): string =>
  Array.from({ length: 5 }, () => suffixLetters[Math.floor(random.next() * suffixLetters.length)]).join('');
