import { expect, test } from 'vitest';
import type { Live } from '@coxswain/apimachinery';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import { serviceState, type ServicePod } from './service-state.ts';

const pod = (app: string, isReady = true): ServicePod =>
  ({
    metadata: { name: app, labels: { app } },
    isReady,
    ports: [{ name: 'http', containerPort: 8080 }],
  }) as unknown as ServicePod;

const service = (spec: object): Live<Service> =>
  ({
    spec: { selector: { app: 'cart' }, ports: [{ port: 80, targetPort: 8080 }], ...spec },
  }) as unknown as Live<Service>;

test('a service whose pods are ready is well', () => {
  expect(serviceState(service({}), [pod('cart'), pod('other')])).toEqual({
    tone: 'ok',
    text: '1 of 1 pods are ready',
  });
});

test('a selector that matches no pod is reported with the values that pods have', () => {
  expect(serviceState(service({ selector: { app: 'carts' } }), [pod('cart'), pod('mailer')])).toEqual({
    tone: 'bad',
    text: 'No endpoints: no pod of the namespace has the labels app=carts',
    hint: 'Values of app on pods here: cart, mailer',
  });
});

test('pods that are not ready are no endpoints, unless the service publishes them', () => {
  const pods = [pod('cart', false)];
  expect(serviceState(service({}), pods).text).toBe('No endpoints: its only pod is not ready');
  expect(serviceState(service({ publishNotReadyAddresses: true }), pods).tone).toBe('ok');
});

test('a target port that no container declares is reported: a named one cannot work', () => {
  const ports = (targetPort: string | number) => service({ ports: [{ port: 80, targetPort }] });
  expect(serviceState(ports('web'), [pod('cart')]).tone).toBe('bad');
  expect(serviceState(ports('http'), [pod('cart')]).tone).toBe('ok');
  expect(serviceState(ports(9090), [pod('cart')]).tone).toBe('warn');
});

test('without a selector there is nothing to match', () => {
  expect(serviceState(service({ selector: undefined }), []).tone).toBe('info');
  expect(serviceState(service({ type: 'ExternalName', externalName: 'db.example' }), []).text).toContain(
    'db.example',
  );
});
