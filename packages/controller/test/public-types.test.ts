/** Tests the type of everything that `@coxswain/controller` exports; the compiler reports exports without a test. */
import type { KubeObject, OwnerReference } from '@coxswain/apimachinery';
import { Deployment } from '@coxswain/api/apps/v1/deployment.ts';
import { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { KindRef, KubeClient } from '@coxswain/client';
import * as library from '@coxswain/controller';
import * as node from '@coxswain/controller/node.ts';
import { expect, expectTypeOf, test } from 'vitest';

type AnyPredicate = library.Predicate<KubeObject>;
type Deployed = Deployment & KubeObject;
type Combining = (...predicates: readonly library.Predicate<Deployed>[]) => library.Predicate<Deployed>;

/** Only functions that merely create a value are called; the rest is checked by the compiler. */
const typeTests = {
  AlreadyOwnedError: () => expectTypeOf<library.AlreadyOwnedError>().toExtend<Error>(),
  BadReview: () => expectTypeOf<library.BadReview>().toExtend<Error>(),
  Cache: () => expectTypeOf(library.Cache.prototype.synced).returns.resolves.toBeVoid(),
  HealthChecks: () => expectTypeOf(library.HealthChecks).toBeConstructibleWith(),
  Manager: () => {
    const { start, add } = library.Manager.prototype;
    expectTypeOf(start).toEqualTypeOf<(signal: AbortSignal) => Promise<void>>();
    expectTypeOf(add).parameters.toEqualTypeOf<[library.Runnable]>();
  },
  TerminalError: () => expectTypeOf(library.TerminalError).toBeConstructibleWith('paused'),
  addFinalizer: () => expectFinalizing(library.addFinalizer<Deployment>),
  all: () => expectTypeOf(library.all<Deployed>).toExtend<Combining>(),
  allowed: () =>
    expectTypeOf(library.allowed).toEqualTypeOf<(...warnings: readonly string[]) => library.Verdict>(),
  annotationsChanged: () => expectTypeOf(library.annotationsChanged).toExtend<AnyPredicate>(),
  any: () => expectTypeOf(library.any<Deployed>).toExtend<Combining>(),
  controller: () => {
    expectTypeOf(library.controller<Deployment>).parameters.toEqualTypeOf<[library.Controller<Deployment>]>();
    expectTypeOf(library.controller).returns.toEqualTypeOf<library.Runnable>();
    // @ts-expect-error nobody reconciles
    void (() => library.controller({ name: 'idle', for: Pod }));
  },
  controllerOf: () => expectTypeOf(library.controllerOf).returns.toEqualTypeOf<OwnerReference | undefined>(),
  controllerReference: () =>
    expectTypeOf(library.controllerReference).toEqualTypeOf<
      (kind: KindRef, owner: KubeObject) => OwnerReference
    >(),
  conversion: () => {
    expectTypeOf(library.conversion).parameters.toEqualTypeOf<[library.Convert]>();
    expectTypeOf(library.conversion).returns.toEqualTypeOf<library.WebhookHandler>();
  },
  createManager: () => {
    expectTypeOf(library.createManager).toEqualTypeOf<(options: library.ManagerOptions) => library.Manager>();
    // @ts-expect-error a client is needed
    void (() => library.createManager({}));
  },
  createOrUpdate: () => {
    const update = (client: KubeClient, deployment: Deployed) =>
      library.createOrUpdate(client, Deployment, deployment, ({ spec }) => void (spec.paused = true));
    expectTypeOf(update).returns.resolves.toEqualTypeOf<library.CreatedOrUpdated<Deployed>>();
  },
  denied: () =>
    expectTypeOf(library.denied).toEqualTypeOf<
      (message: string, ...warnings: readonly string[]) => library.Verdict
    >(),
  generationChanged: () => expectTypeOf(library.generationChanged).toExtend<AnyPredicate>(),
  gracefulShutdownDefaultMs: () => expectTypeOf(library.gracefulShutdownDefaultMs).toBeNumber(),
  hasFinalizer: () =>
    expectTypeOf(library.hasFinalizer).toEqualTypeOf<(object: KubeObject, finalizer: string) => boolean>(),
  isBeingDeleted: () => expectTypeOf(library.isBeingDeleted).toEqualTypeOf<(object: KubeObject) => boolean>(),
  jsonPatchBetween: () =>
    expectTypeOf(library.jsonPatchBetween).returns.toEqualTypeOf<library.PatchOperation[]>(),
  keyOf: () => expectTypeOf(library.keyOf).toEqualTypeOf<(request: library.Request) => string>(),
  labelled: () => expectTypeOf(library.labelled).returns.toEqualTypeOf<library.Predicate>(),
  labelsChanged: () => expectTypeOf(library.labelsChanged).toExtend<AnyPredicate>(),
  matching: () =>
    expectTypeOf(library.matching<Deployed>).toEqualTypeOf<
      (holds: (object: Deployed) => boolean) => library.Predicate<Deployed>
    >(),
  mutating: () => {
    // A deletion has nothing to change, so the object is always present.
    library.mutating(
      Pod,
      ({ object }) => expectTypeOf(object).toEqualTypeOf<Pod & KubeObject>() && undefined,
    );
    library.mutating(Pod, ({ object }) => ({ ...object, spec: { ...object.spec, nodeName: 'a' } }));
    expectTypeOf(library.mutating).returns.toEqualTypeOf<library.WebhookHandler>();
  },
  not: () => expectTypeOf(library.not<Deployed>).returns.toEqualTypeOf<library.Predicate<Deployed>>(),
  ownerReference: () => expectTypeOf(library.ownerReference).returns.toEqualTypeOf<OwnerReference>(),
  refersTo: () =>
    expectTypeOf(library.refersTo).toEqualTypeOf<(reference: OwnerReference, kind: KindRef) => boolean>(),
  removeFinalizer: () => expectFinalizing(library.removeFinalizer<Deployment>),
  requestFor: () => expectTypeOf(library.requestFor).toEqualTypeOf<(object: KubeObject) => library.Request>(),
  requestOf: () => expectTypeOf(library.requestOf).toEqualTypeOf<(key: string) => library.Request>(),
  resourceVersionChanged: () => expectTypeOf(library.resourceVersionChanged).toExtend<AnyPredicate>(),
  setControllerReference: () =>
    expectTypeOf(library.setControllerReference<Deployed>).returns.toEqualTypeOf<Deployed>(),
  setOwnerReference: () =>
    expectTypeOf(library.setOwnerReference<Deployed>).returns.toEqualTypeOf<Deployed>(),
  validating: () => {
    library.validating(Pod, (request) => {
      // @ts-expect-error of a deletion there is none
      void (() => request.object.spec);
      if (request.operation === 'DELETE') {
        expectTypeOf(request.object).toBeNull();
        expectTypeOf(request.oldObject).toEqualTypeOf<Pod & KubeObject>();
      } else expectTypeOf(request.object).toEqualTypeOf<Pod & KubeObject>();
      if (request.operation === 'CREATE') expectTypeOf(request.oldObject).toBeNull();
    });
    expectTypeOf(library.validating).returns.toEqualTypeOf<library.WebhookHandler>();
  },
  watch: () => {
    library.watch(Pod, (pod) => {
      expectTypeOf(pod).toEqualTypeOf<Pod & KubeObject>();
      return [library.requestFor(pod)];
    });
    expectTypeOf(library.watch).returns.toEqualTypeOf<library.Watch>();
  },
  webhookConfigurations: () => {
    expectTypeOf(library.webhookConfigurations).parameters.toEqualTypeOf<
      [library.WebhookConfigurationOptions]
    >();
    const options = { name: 'pods', server: { url: 'https://localhost' } };
    // @ts-expect-error a webhook is asked about a kind
    void (() => library.webhookConfigurations({ ...options, validating: [{ path: '/validate' }] }));
  },
  probeServer: () =>
    expectTypeOf(node.probeServer).toEqualTypeOf<(options: node.ProbeServerOptions) => library.Runnable>(),
  webhookCertificates: () => {
    const certificates = node.webhookCertificates({
      secret: { namespace: 'shop', name: 'webhooks' },
      server: { service: { namespace: 'shop', name: 'greeter' } },
      inject: [{ kind: 'ValidatingWebhookConfiguration', name: 'greeter' }],
    });
    expectTypeOf(certificates).toExtend<library.Runnable>();
    node.webhookServer({ certificates, handlers: {} });
    // @ts-expect-error a certificate has a key
    void (() => node.webhookServer({ certFile: 'tls.crt', handlers: {} }));
  },
  webhookServer: () =>
    expectTypeOf(node.webhookServer).toEqualTypeOf<
      (options: node.WebhookServerOptions) => library.Runnable
    >(),
} satisfies Record<keyof typeof library | keyof typeof node, () => void>;

type Finalizing = typeof library.addFinalizer<Deployment>;

const expectFinalizing = (write: Finalizing) => {
  expectTypeOf(write).returns.resolves.toEqualTypeOf<Deployed>();
  expectTypeOf(write).parameters.toEqualTypeOf<[KubeClient, KindRef<Deployment>, Deployed, string]>();
};

test.each([...Object.keys(library), ...Object.keys(node)])('%s has a test of its type', (name) => {
  expect(Object.keys(typeTests)).toContain(name);
});
