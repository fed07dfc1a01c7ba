import { fieldErrorText } from '@coxswain/apimachinery';
import {
  applyDefaults,
  decodeValue,
  type Kind,
  type ObjectMeta,
  type StructType,
  type ValidationContext,
} from '@coxswain/schema';
import { describe, expect, it } from 'vitest';
import { CustomResourceDefinition } from '../src/apiextensions/v1/index.ts';
import { Deployment, StatefulSet } from '../src/apps/v1/index.ts';
import { CronJob } from '../src/batch/v1/index.ts';
import { hasTimeZone } from '../src/batch/v1/time-zone.ts';
import { ConfigMap, Pod } from '../src/core/v1/index.ts';
import { validateCreate, validateUpdate } from './object-validation.ts';
import { NetworkPolicy } from '../src/networking/v1/index.ts';

interface Stored {
  metadata: ObjectMeta;
}

type AnyKind = Kind<Stored, Stored>;

const context: ValidationContext = {
  nowMs: 0,
  allowPrivileged: false,
  minCompatibility: 35,
  enabled: () => true,
};

function made(kind: unknown, body: object): Stored {
  const { type, behaviour } = kind as AnyKind;
  const object = decodeValue(type as unknown as StructType, structuredClone(body)).object as Stored;
  object.metadata = { namespace: 'default', uid: 'u', resourceVersion: '1', ...object.metadata };
  applyDefaults(type as unknown as StructType, object);
  for (const fill of behaviour.defaults ?? []) fill(object, 0);
  return object;
}

const createErrors = (kind: unknown, body: object): string[] =>
  validateCreate(kind as AnyKind, made(kind, body), context).map(fieldErrorText);

const updateErrors = (kind: unknown, before: object, after: object): string[] =>
  validateUpdate(kind as AnyKind, made(kind, after), made(kind, before), context).map(fieldErrorText);

const container = { name: 'main', image: 'app:1' };
const labels = { app: 'a' };
const template = { metadata: { labels }, spec: { containers: [container] } };
const deployment = { metadata: { name: 'web' }, spec: { selector: { matchLabels: labels }, template } };
const pod = {
  metadata: { name: 'web' },
  spec: { containers: [container], priority: 0, preemptionPolicy: 'PreemptLowerPriority' },
};

describe('creating', () => {
  it('reports no error for a valid object', () => {
    expect(createErrors(Pod, pod)).toEqual([]);
    expect(createErrors(Deployment, deployment)).toEqual([]);
  });

  it('reports the path of a deeply nested error', () => {
    const containers = [{ ...container, ports: [{ containerPort: 70_000 }] }];
    expect(createErrors(Pod, { ...pod, spec: { ...pod.spec, containers } })).toEqual([
      'spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
    ]);
  });

  it('applies the kind’s own rule for names', () => {
    expect(createErrors(ConfigMap, { metadata: { name: 'A' } })[0]).toMatch(
      /^metadata.name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of/,
    );
    const set = { ...deployment, metadata: { name: 'a.b' } };
    expect(createErrors(StatefulSet, { ...set, spec: { ...set.spec, serviceName: 's' } })).toEqual([
      'metadata.name: Invalid value: "a.b": must not contain dots',
    ]);
  });

  it('wants a selector to select the template', () => {
    const spec = { ...deployment.spec, selector: { matchLabels: { app: 'b' } } };
    expect(createErrors(Deployment, { ...deployment, spec })).toEqual([
      'spec.template.metadata.labels: Invalid value: {"app":"a"}: `selector` does not match template `labels`',
    ]);
  });

  it('shows structs as Go does', () => {
    const spec = { ...deployment.spec, strategy: { type: 'Odd' } };
    expect(createErrors(Deployment, { ...deployment, spec })).toEqual([
      'spec.strategy: Unsupported value: {"Type":"Odd","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"',
    ]);
  });

  it('reads schedules and time zones', () => {
    const jobTemplate = { spec: { template: { spec: { containers: [container], restartPolicy: 'Never' } } } };
    const cronJob = (schedule: string, timeZone?: string) => ({
      metadata: { name: 'c' },
      spec: { schedule, timeZone, jobTemplate },
    });
    expect(createErrors(CronJob, cronJob('*/5 8-18 * jan-mar mon'))).toEqual([]);
    expect(createErrors(CronJob, cronJob('@every 1h30m', 'Europe/Berlin'))).toEqual([]);
    expect(createErrors(CronJob, cronJob('61 * * * *', 'Europe/Nowhere'))).toEqual([
      'spec.schedule: Invalid value: "61 * * * *": end of range (61) above maximum (59): 61',
      'spec.timeZone: Invalid value: "Europe/Nowhere": unknown time zone Europe/Nowhere',
    ]);
  });

  it.each(['US/Pacific', 'Asia/Kolkata', 'EST5EDT', 'Etc/GMT+5', 'UTC', 'Factory'])(
    'knows the time zone %s',
    (zone) => {
      expect(hasTimeZone(zone)).toBe(true);
    },
  );

  it.each(['us/pacific', 'europe/berlin', 'PST', 'IST', '+05:00', 'SystemV/PST8', 'utc'])(
    'does not know the time zone %s, which Intl accepts',
    (zone) => {
      expect(hasTimeZone(zone)).toBe(false);
    },
  );

  it('compares networks', () => {
    const ipBlock = { cidr: '10.0.0.0/8', except: ['10.1.0.0/16', '11.0.0.0/16'] };
    const spec = { podSelector: {}, ingress: [{ from: [{ ipBlock }] }] };
    expect(createErrors(NetworkPolicy, { metadata: { name: 'n' }, spec })).toEqual([
      'spec.ingress[0].from[0].ipBlock.except[1]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`',
    ]);
  });

  it('wants schemas of custom resources to be structural', () => {
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { properties: {} } } } };
    const definition = {
      metadata: { name: 'boats.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'boats', kind: 'Boat' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    };
    const errors = createErrors(CustomResourceDefinition, definition);
    expect(errors.filter((error) => error.startsWith('spec'))).toEqual([
      'spec.validation.openAPIV3Schema.properties[spec].type: Required value: must not be empty for specified object fields',
    ]);
  });
});

describe('updating', () => {
  it('refuses changes of immutable fields', () => {
    const spec = {
      ...deployment.spec,
      selector: { matchLabels: { app: 'b' } },
      template: { ...template, metadata: { labels: { app: 'b' } } },
    };
    expect(updateErrors(Deployment, deployment, { ...deployment, spec })).toEqual([
      'spec.selector: Invalid value: {"matchLabels":{"app":"b"}}: field is immutable',
    ]);
  });

  it('shows forbidden changes of a pod', () => {
    const errors = updateErrors(Pod, pod, { ...pod, spec: { ...pod.spec, hostname: 'h' } });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain('spec: Forbidden: pod updates may not change fields other than');
    expect(errors[0]).toContain('- "Hostname": "",\n+ "Hostname": "h",');
  });

  it('reports metadata twice: by the generic rules and by the kind’s', () => {
    const after = { ...pod, metadata: { name: 'other' } };
    const message = 'metadata.name: Invalid value: "other": field is immutable';
    expect(updateErrors(Pod, pod, after)).toEqual([message, message]);
  });
});

describe('warnings', () => {
  const warningsOf = (spec: object): readonly string[] =>
    Pod.behaviour.warnings!(made(Pod, { ...pod, spec }) as Pod, undefined, {
      enabled: () => true,
      minCompatibility: 35,
    });

  it('warns about variables that hide others', () => {
    const env = [
      { name: 'A', value: '1' },
      { name: 'A', value: '$(A)2' },
      { name: 'A', value: '3' },
    ];
    expect(warningsOf({ containers: [{ ...container, env }] })).toEqual([
      'spec.containers[0].env[2]: hides previous definition of "A", which may be dropped when using apply',
    ]);
  });

  it('warns about labels that are no longer used', () => {
    expect(
      warningsOf({ containers: [container], nodeSelector: { 'beta.kubernetes.io/os': 'linux' } }),
    ).toEqual([
      'spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
    ]);
  });
});
