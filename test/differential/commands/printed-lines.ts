/** Command lines that print objects (in which order, with which numbers), and files with several mistakes. */

/** What makes or changes an object, for each kind of object that commands have in hand: typed or not. */
const makers = [
  'create deployment made --image=a --image=b --replicas=2 --port=80',
  'create job made --image=a -- run it',
  'create job made --from=cronjob/nightly',
  'create cronjob made --image=a --schedule=@daily',
  'create configmap made --from-literal=b=1 --from-literal=a=2',
  'create secret generic made --from-literal=b=1',
  'create secret tls made --cert=plain.txt --key=plain.txt',
  'create secret docker-registry made --docker-username=a --docker-password=b --docker-server=c',
  'create service clusterip made --tcp=80:8080',
  'create service nodeport made --tcp=80:8080 --node-port=30999',
  'create service externalname made --external-name=example.com',
  'create service loadbalancer made --tcp=80',
  'create ingress made --rule=example.com/*=web:80,tls=t --class=c --annotation=a=b',
  'create namespace made-$ns',
  'create quota made --hard=pods=2,cpu=1 --scopes=BestEffort',
  'create priorityclass made-$ns --value=1000000 --description=d',
  'create pdb made --selector=app=web --min-available=50%',
  'create serviceaccount made',
  'create role made --verb=get,list --resource=pods,deployments.apps --resource-name=a',
  'create clusterrole made-$ns --verb=get --non-resource-url=/healthz',
  'create clusterrole made-$ns --aggregation-rule=a=b',
  'create rolebinding made --role=reader --user=u --group=g --serviceaccount=$ns:robot',
  'create clusterrolebinding made-$ns --clusterrole=view --user=u',
  'create token robot --duration=1h',
  'run made --image=a --port=80 --env=B=1 --env=A=2 --labels=x=y',
  'run made --image=a --expose --port=80',
  'expose deployment web --name=made --port=80',
  'expose pod plain --name=made --port=80 --selector=a=b',
  'autoscale deployment small --name=made --min=2 --max=5 --cpu=80%',
  'set image deployment/small c=new:1',
  'set image --local -f deployment.yaml c=new:1',
  'set env deployment/small A=1 B-',
  'set env --local -f deployment.yaml A=1',
  'set resources deployment/small --limits=cpu=1,memory=1Gi',
  'set resources --local -f deployment.yaml --requests=cpu=1',
  'set serviceaccount deployment/small robot',
  'set serviceaccount --local -f deployment.yaml robot',
  'set selector service/web a=b',
  'set selector --local -f service.yaml a=b',
  'set subject rolebinding/readers --user=new',
  'set subject --local -f binding.yaml --user=new',
  'label pod/plain z=1 a=2',
  'label --local -f pod.yaml z=1',
  'annotate pod/plain z=1 a=2',
  'annotate --local -f pod.yaml z=1',
  'patch pod/plain -p {"metadata":{"labels":{"z":"1"}}}',
  'patch --local -f pod.yaml --type=merge -p {"metadata":{"labels":{"z":"1"}}}',
  'patch --local -f deployment.yaml -p {"spec":{"replicas":1000000}}',
  'scale deployment/small --replicas=3',
  'rollout pause deployment/small',
  'rollout resume deployment/web',
  'rollout restart deployment/small',
  'rollout undo deployment/small',
  'apply -f pod.yaml',
  'apply -f deployment.yaml',
  'apply --server-side -f service.yaml',
  'create -f deployment.yaml',
  'create -f binding.yaml',
  'replace -f small.yaml',
  'delete pod/plain',
  'auth reconcile -f binding.yaml',
  'auth reconcile -f role.yaml',
  'taint nodes node-none a=b:NoSchedule',
];

const shapes = [
  '-o json',
  '-o yaml',
  '-o kyaml',
  '-o jsonpath={}',
  '-o jsonpath={.spec}{.rules}{.value}{.metadata.labels}',
  '-o jsonpath={.spec.replicas}/{.value}/{.spec.ports[0].port}/{.spec.template.spec.containers[0].ports[0].containerPort}',
  '-o jsonpath={.spec.containers[?(@.name=="c")].image}{.spec.ports[?(@.port==80)].name}',
  '-o go-template={{.}}',
  '-o name',
  '',
];

const hasNoDryRun = /^(create token|delete)/;

/** Every maker in every shape; the changes themselves are only tried. */
const printed = makers.flatMap((maker) =>
  shapes.flatMap((shape) =>
    (hasNoDryRun.test(maker) || maker.includes('--local')
      ? ['']
      : ['--dry-run=client', '--dry-run=server']
    ).map((dryRun) => placed(maker, `${shape} ${dryRun}`)),
  ),
);

const savers =
  /^(create (?!token)|run|expose|autoscale|set (?!.*--local)|replace|create -f|apply|label|annotate|scale|rollout)/;
const saved = makers
  .filter((maker) => savers.test(maker))
  .flatMap((maker) =>
    [
      '-o yaml --dry-run=client',
      '-o json --dry-run=client',
      '-o yaml --dry-run=server',
      '-o name --dry-run=client',
    ].map((rest) => placed(maker, `--save-config ${rest}`)),
  );

const managed = makers
  .filter((maker) => !hasNoDryRun.test(maker))
  .map((maker) => placed(maker, '--show-managed-fields -o json --dry-run=server'));

/** Before what belongs to the container. */
function placed(maker: string, rest: string): string {
  const [head, ...tail] = maker.split(' -- ');
  return [`${head} ${rest.trim()}`.trim(), ...tail].join(' -- ');
}

const mistakes = [
  'unknownfield',
  'badtype',
  'invalid',
  'nokind',
  'noversion',
  'unknownkind',
  'otherns',
  'twice',
  'scalar',
  'fine',
];
const readers = [
  'create',
  'apply',
  'apply --server-side',
  'replace',
  'create --validate=false',
  'create --dry-run=client',
  'delete',
  'get',
  'diff',
  'create --validate=warn --dry-run=server',
];

/** Files with two mistakes, and with all of them. */
const severalMistakes = readers.flatMap((reader) => [
  ...mistakes.flatMap((first) =>
    mistakes
      .filter((second) => second !== first && (first.length + second.length) % 3 === 0)
      .map((second) => `${reader} -f mistakes/${first}-${second}.yaml`),
  ),
  `${reader} -f mistakes/all.yaml`,
  `${reader} -f mistakes/fields.yaml`,
  `${reader} -f unknownfield.yaml -f badtype.yaml -f invalid.yaml`,
  `${reader} -f missing.yaml -f invalid.yaml -f also-missing.yaml`,
]);

export const mistakeNames = mistakes;

const rights = [
  'auth can-i --list',
  'auth can-i --list --no-headers',
  'auth can-i --list --as=alice',
  'auth can-i --list --as=system:serviceaccount:$ns:robot',
  'auth can-i --list --as=nobody --as-group=system:masters',
  'auth can-i --list --as=system:node:n --as-group=system:nodes',
  'auth can-i --list --as=x --as-group=viewers-of-$ns',
  'auth can-i get pods --as=alice',
  'auth can-i get pods/log --as=alice',
  'auth can-i * * --as=alice',
  'auth can-i get deploy.apps/web --as=alice -v=0',
  'auth can-i list nothing',
  'auth can-i get /healthz --as=alice',
  'auth can-i get healthz',
  'auth can-i use nodes --as=alice',
  'auth can-i create pods --subresource=exec -q --as=alice',
  'auth whoami -o json',
  'auth whoami -o jsonpath={.status.userInfo.groups}',
  'auth whoami -o yaml --as=alice --as-group=b --as-group=a',
];

const reads = [
  'pods',
  'deploy,svc',
  'pod/plain deploy/small',
  'crd',
  'nodes',
  'cm,secrets',
  'all',
  'priorityclasses',
].flatMap((what) =>
  [
    '-o json',
    '-o yaml',
    '-o kyaml',
    '-o jsonpath={.items[0]}',
    '-o jsonpath-as-json={.items[*].metadata.labels}',
    '-o jsonpath={.items[*].value}{.items[*].spec.replicas}',
  ].map((shape) => `get ${what} ${shape}`),
);

const others = [
  'config view -o json',
  'config view -o jsonpath={.clusters}',
  'config view -o json --minify',
  'config view -o json --raw',
  'config view -o go-template={{.}}',
  'version -o json --client',
  'version --client -o yaml',
  'api-resources -o json',
  'api-resources -o yaml --api-group=apps',
  'api-resources -o json --namespaced=false',
  'events -o json',
  'events -o jsonpath={.items[*].count}',
  'wait pod/plain --for=create -o json',
  'wait pod/plain --for=jsonpath={.metadata.name}=plain -o jsonpath={.spec.containers}',
  'get events -o json',
  'kustomize .',
  'get pods --sort-by=.metadata.name -o json',
  'get deploy --sort-by=.spec.replicas -o jsonpath={.items[*].metadata.name}',
  'get deploy -o json --show-managed-fields',
];

export const printedLines: readonly string[] = [
  ...new Set([...printed, ...saved, ...managed, ...severalMistakes, ...rights, ...reads, ...others]),
];
