/** Runs command lines out of a pack without bytecode, and writes the pack again with the bytecode of what ran. */

import { readFileSync, writeFileSync } from 'node:fs';
import { openPack } from '../../packages/coxswain/bin/kubectl.cjs';
import { packed, unpacked } from './pack-file.ts';

const configMaps = Array.from({ length: 20 }, (_, index) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: `map-${index}`, labels: { app: 'web' } },
  data: { colour: 'blue' },
}));

const webManifest = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: {app: web}
spec:
  replicas: 2
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: web
        image: "web:1" # the first one
        ports:
        - containerPort: 80
        args: ["--listen", ':80']
---
apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  selector: {app: web}
  ports:
  - port: 80
`;

const commandLines = `
version --client
version
get pods
apply -f web.yaml
apply -f web.yaml
apply -f maps.json
apply --server-side -f maps.json
rollout status deployment/web --timeout=5s
get pods
get pods -o wide
get pods -o yaml
get pods -o json
get pods -o name
get pods -A
get all
get deployments,services --show-labels
get deployment web -o jsonpath={.spec.replicas}
get pods -o custom-columns=NAME:.metadata.name
get pods --sort-by=.metadata.name
get pods -l app=web
get nope
describe deployment web
describe pods
describe service web
describe node
explain pod.spec
explain deployment.spec.strategy --recursive
api-resources
api-versions
create configmap one --from-literal=a=b
create namespace one
patch deployment web -p {"spec":{"replicas":1}}
label deployment web colour=blue
annotate deployment web colour=blue
scale deployment web --replicas=3
set image deployment/web web=web:2
rollout history deployment/web
rollout restart deployment/web
wait --for=create configmap/one
get events
auth can-i get pods
auth whoami
cluster-info
config view
config get-contexts
config current-context
run one --image=one --dry-run=client -o yaml
expose deployment web --name=other --port=80 --dry-run=client -o yaml
diff -f web.yaml
top pods
logs deployment/web
replace -f maps.json
delete configmap one
delete -f maps.json
kustomize .
--help
get --help
`;

const file = process.argv[2] ?? '';
const { load, scripts } = openPack(file, false);
const program = load('kubectl.cjs');
const silent = { write: () => undefined };
const io = { ...program.processIo(), out: silent, err: silent };

writeFileSync('web.yaml', webManifest);
writeFileSync('kustomization.yaml', 'resources: [web.yaml]\nnamePrefix: my-\n');
writeFileSync('maps.json', JSON.stringify({ apiVersion: 'v1', kind: 'List', items: configMaps }));
// The kubeconfig of the cluster is JSON; from here on it is in the form that people have.
await program.runKubectl(['config', 'set-context', '--current', '--namespace=default'], io);
for (const line of commandLines.trim().split('\n')) await program.runKubectl(line.split(' '), io);
const modules = unpacked(readFileSync(file)).map((module) => ({
  ...module,
  code: scripts.get(module.name)?.createCachedData() ?? module.code,
}));
writeFileSync(file, packed(modules));
process.exit();
