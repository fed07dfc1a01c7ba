/** The story as data: what a user types, and what must be seen. */

export interface StoryStep {
  readonly args: string;
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** 0 when absent. */
  readonly exit?: number;
  readonly out?: readonly (RegExp | string)[];
  readonly err?: readonly (RegExp | string)[];
  /** What the standard output must not contain. */
  readonly notOut?: readonly RegExp[];
  /** The command is repeated until it holds: it looks at what controllers are about to do. */
  readonly eventually?: true;
}

const manifest = 'test/story/shop.yaml';

export const steps: readonly StoryStep[] = [
  { args: 'version', out: [/v1\.36\.\d+/] },
  { args: 'cluster-info', out: [/Kubernetes control plane.*is running at/] },
  { args: 'api-versions', out: ['apps/v1', 'batch/v1', 'rbac.authorization.k8s.io/v1'] },
  { args: 'api-resources --api-group=apps', out: [/deployments\s+deploy\s+apps\/v1\s+true\s+Deployment/] },
  { args: 'get nodes', out: [/Ready/], eventually: true },
  { args: `apply -f ${manifest} --dry-run=server`, exit: 1, err: [/namespaces "shop" not found/] },
  {
    args: `apply -f ${manifest}`,
    out: ['namespace/shop created', 'deployment.apps/web created', 'job.batch/migrate created'],
  },
  {
    args: `apply -f ${manifest}`,
    out: ['configmap/settings unchanged', 'deployment.apps/web unchanged', 'service/web unchanged'],
  },
  { args: 'get ns shop --show-labels', out: [/shop\s+Active\s+\S+\s+.*team=storefront/] },
  {
    args: 'rollout status deployment/web -n shop --timeout=60s',
    out: ['deployment "web" successfully rolled out'],
  },
  {
    args: 'get deployment -n shop',
    out: [/NAME\s+READY\s+UP-TO-DATE\s+AVAILABLE\s+AGE/, /web\s+3\/3\s+3\s+3/],
  },
  { args: 'get pods -n shop -l app=web -o wide', out: [/NODE/, /web-\S+\s+1\/1\s+Running\s+0/] },
  { args: 'get pods -n shop -l app=web -o name', out: [/^pod\/web-/] },
  {
    args: 'get deployment web -n shop -o yaml',
    out: [/^apiVersion: apps\/v1\nkind: Deployment/m, 'replicas: 3'],
  },
  { args: 'get deployment web -n shop -o json', out: ['"image": "nginx:1.27"'] },
  {
    args: 'get deployment web -n shop -o jsonpath={.spec.template.spec.containers[0].image}',
    out: [/^nginx:1\.27$/],
  },
  {
    args: 'get pods -n shop -l app=web -o custom-columns=NAME:.metadata.name,PHASE:.status.phase --no-headers',
    out: [/web-\S+\s+Running/],
  },
  { args: 'get cm settings -n shop -o go-template={{.data.currency}}', out: [/^EUR$/] },
  { args: 'get configmaps -n shop --sort-by=.metadata.name', out: [/kube-root-ca[\s\S]*settings/] },
  { args: 'get services,configmaps -n shop', out: [/service\/web/, /configmap\/settings/] },
  {
    args: 'get all -n shop',
    out: [
      /pod\/web-/,
      /service\/web/,
      /deployment\.apps\/web/,
      /replicaset\.apps\/web-/,
      /job\.batch\/migrate/,
    ],
  },
  {
    args: 'describe deployment web -n shop',
    out: [
      /^Name:\s+web$/m,
      /Replicas:\s+3 desired \| 3 updated \| 3 total \| 3 available \| 0 unavailable/,
      /ScalingReplicaSet/,
    ],
  },
  {
    args: 'describe pods -n shop -l app=web --show-events=true',
    out: [/^Node:\s+\S+\/\S+$/m, /Successfully assigned shop\/web-/, /Ready\s+True/],
  },
  {
    args: 'describe service web -n shop',
    out: [/^Type:\s+ClusterIP$/m, /^Endpoints:\s+\d+\.\d+\.\d+\.\d+:80/m],
    eventually: true,
  },
  { args: 'get endpointslices -n shop -l kubernetes.io/service-name=web', out: [/web-\S+\s+IPv4\s+80/] },
  { args: 'logs deployment/web -n shop --tail=5', out: [/\S/] },
  {
    args: 'wait --for=condition=complete job/migrate -n shop --timeout=60s',
    out: ['job.batch/migrate condition met'],
  },
  { args: 'get job migrate -n shop', out: [/migrate\s+(Complete\s+)?2\/2/] },
  { args: 'scale deployment/web -n shop --replicas=5', out: ['deployment.apps/web scaled'] },
  { args: 'rollout status deployment/web -n shop --timeout=60s', out: ['successfully rolled out'] },
  { args: 'get deployment web -n shop -o jsonpath={.status.readyReplicas}', out: [/^5$/] },
  { args: 'label deployment web -n shop tier=front', out: ['deployment.apps/web labeled'] },
  { args: 'get deployment -n shop -l tier=front', out: [/web\s+5\/5/] },
  // kubectl 1.27 says "annotate".
  { args: 'annotate deployment web -n shop owner=me', out: [/deployment.apps\/web annotated?/] },
  {
    args: 'patch deployment web -n shop -p {"spec":{"template":{"spec":{"terminationGracePeriodSeconds":1}}}}',
    out: ['deployment.apps/web patched'],
  },
  {
    args: 'patch configmap settings -n shop --type=merge -p {"data":{"banner":null}}',
    out: ['configmap/settings patched'],
  },
  {
    args: 'patch configmap settings -n shop --type=json -p [{"op":"replace","path":"/data/currency","value":"USD"}]',
    out: ['configmap/settings patched'],
  },
  { args: 'get cm settings -n shop -o json', out: ['"currency": "USD"'], notOut: [/"banner":/] },
  { args: 'set image deployment/web -n shop web=nginx:1.28', out: ['deployment.apps/web image updated'] },
  { args: 'rollout status deployment/web -n shop --timeout=60s', out: ['successfully rolled out'] },
  { args: 'rollout history deployment/web -n shop', out: [/REVISION\s+CHANGE-CAUSE/, /^3\s/m] },
  { args: 'rollout undo deployment/web -n shop', out: ['deployment.apps/web rolled back'] },
  { args: 'rollout status deployment/web -n shop --timeout=60s', out: ['successfully rolled out'] },
  {
    args: 'get deployment web -n shop -o jsonpath={.spec.template.spec.containers[0].image}',
    out: [/^nginx:1\.27$/],
  },
  {
    args: 'edit configmap settings -n shop',
    env: { EDITOR: 'sed -i s/USD/GBP/', KUBE_EDITOR: 'sed -i s/USD/GBP/' },
    out: ['configmap/settings edited'],
  },
  { args: 'get cm settings -n shop -o jsonpath={.data.currency}', out: [/^GBP$/] },
  {
    args: 'create configmap extra -n shop --from-literal=a=1 --dry-run=client -o yaml',
    out: ['kind: ConfigMap', 'a: "1"'],
  },
  { args: 'create secret generic token -n shop --from-literal=t=secret', out: ['secret/token created'] },
  { args: 'get secret token -n shop -o jsonpath={.data.t}', out: [/^c2VjcmV0$/] },
  {
    args: 'create deployment side -n shop --image=nginx --replicas=2',
    out: ['deployment.apps/side created'],
  },
  { args: 'expose deployment side -n shop --port=8080', out: ['service/side exposed'] },
  {
    args: 'apply --server-side --field-manager=story -n shop -f -',
    stdin: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"extra"},"data":{"b":"2"}}',
    out: ['configmap/extra serverside-applied'],
  },
  {
    args: 'replace -n shop -f -',
    stdin: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"extra"},"data":{"c":"3"}}',
    out: ['configmap/extra replaced'],
  },
  {
    args: 'diff -n shop -f -',
    stdin: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"extra"},"data":{"c":"4"}}',
    exit: 1,
    out: [/[-+]\s+c: "4"/],
  },
  { args: 'auth can-i list configmaps -n shop --as=system:serviceaccount:shop:web', out: ['yes'] },
  { args: 'auth can-i delete pods -n shop --as=system:serviceaccount:shop:web', exit: 1, out: ['no'] },
  {
    args: 'get configmaps -n shop --as=system:serviceaccount:shop:nobody',
    exit: 1,
    err: [/cannot list resource "configmaps" in API group "" in the namespace "shop"/],
  },
  { args: 'get events -n shop', out: [/ScalingReplicaSet/, /SuccessfulCreate/, /Scheduled/] },
  { args: 'explain deployment.spec.replicas', out: [/replicas/, /integer/] },
  { args: 'delete deployment side -n shop', out: ['deployment.apps "side" deleted'] },
  { args: 'get pods -n shop -l app=side', err: [/No resources found/], eventually: true },
  { args: 'delete secret nothing -n shop', exit: 1, err: ['secrets "nothing" not found'] },
  {
    args: 'create -f -',
    stdin:
      '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"bad","namespace":"shop"},"spec":{"containers":[]}}',
    exit: 1,
    err: [/spec\.containers: Required value/],
  },
  {
    // As "kubectl get -o yaml" prints it.
    args: 'create -f -',
    stdin:
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"read","namespace":"shop","resourceVersion":"1"}}',
    out: ['configmap/read created'],
  },
  {
    // With its namespace gone first, the rest may be gone, too, before it is asked for.
    args: `delete -f ${manifest} --timeout=60s --ignore-not-found`,
    out: ['namespace "shop" deleted'],
  },
  { args: 'get ns shop', exit: 1, err: ['namespaces "shop" not found'] },
];
