/** Objects that generated kustomizations start from: names that refer to each other, lists that merge, odd scalars. */

export const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: {tier: front, app.kubernetes.io/part-of: shop}
  annotations:
    note: "1"
spec:
  replicas: 1
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      serviceAccountName: runner
      imagePullSecrets:
      - name: creds
      initContainers:
      - name: init
        image: registry.example.com:5000/busy/box:1.0@sha256:0123456789012345678901234567890123456789012345678901234567890123
        command: ["sh", "-c", "echo $(SVC) $$(SVC) $(NONE)"]
      containers:
      - name: main
        image: nginx:1.0
        args: ["--to=$(SVC)"]
        envFrom:
        - configMapRef: {name: settings}
        - secretRef: {name: creds}
        env:
        - {name: KEEP, value: "1"}
        - name: FROM
          valueFrom: {configMapKeyRef: {name: settings, key: A}}
        ports:
        - {containerPort: 80, name: http}
        - {containerPort: 80, protocol: UDP}
        volumeMounts:
        - {name: s, mountPath: /s}
        resources: {limits: {cpu: 500m, memory: 1Gi}}
      - name: side
        image: side
      volumes:
      - {name: s, secret: {secretName: creds}}
      - name: c
        configMap: {name: settings}
      - name: p
        persistentVolumeClaim: {claimName: data}
`;

export const service = `apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  selector: {app: web}
  ports:
  - {port: 80, targetPort: http, name: http}
  - {port: 80, protocol: UDP, name: udp}
`;

export const access = `apiVersion: v1
kind: ServiceAccount
metadata: {name: runner}
imagePullSecrets: [{name: creds}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader}
rules:
- apiGroups: [""]
  resources: [configmaps]
  resourceNames: [settings, other]
  verbs: [get]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: read}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
subjects:
- {kind: ServiceAccount, name: runner}
- {kind: ServiceAccount, name: default, namespace: old}
- {kind: User, name: alice}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: everywhere}
rules: []
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: everywhere}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: everywhere}
subjects:
- {kind: ServiceAccount, name: runner, namespace: default}
- {kind: ServiceAccount, name: default}
`;

export const stored = `# a comment
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec:
  storageClassName: fast
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 1Gi}}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fast}
provisioner: none
---
apiVersion: v1
kind: Namespace
metadata: {name: team}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: odd # inline
data:
  yes: "yes"
  "on": "off"
  num: "1"
  float: "1.0"
  exp: "1e3"
  octal: "0777"
  date: "2020-01-02"
  nil: "null"
  tilde: "~"
  single: 'it''s'
  block: |
    a
    b
  keep: |+
    a

  folded: >-
    a
    b
  empty: ""
  space: " x "
  colon: "a: b"
  hash: "a #b"
  tab: "a\\tb"
  long: "${'word '.repeat(40)}"
  config.yaml: |
    server:
      port: 80
      hosts:
      - name: a
        url: http://a
      - name: b
    debug: false
  config.json: '{"server": {"port": 80, "on": true}, "list": [1, "2"]}'
`;

export const controllers = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: web
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      containers: [{name: db, image: "postgres:9", env: [{name: A, value: "$(SVC)"}]}]
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {storageClassName: fast}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: tick}
spec:
  schedule: "* * * * *"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
          - name: c
            image: busybox
            envFrom: [{configMapRef: {name: settings}}]
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  maxReplicas: 3
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: front
  annotations: {nginx.ingress.kubernetes.io/auth-secret: creds}
spec:
  ingressClassName: nginx
  tls: [{hosts: [a.example.com], secretName: creds}]
  rules:
  - host: a.example.com
    http:
      paths:
      - {path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: deny}
spec:
  podSelector: {matchLabels: {app: web}}
  ingress: [{from: [{podSelector: {matchLabels: {app: db}}}]}]
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: w}
spec:
  size: 3
  ratio: 1.50
  since: 2020-01-02
  ok: yes
  big: 12345678901234567890
  parts:
  - {name: a, v: 1}
  - {name: b, v: 2}
  containers:
  - {name: x, image: nginx}
`;

export const generated = `configMapGenerator:
- name: settings
  literals: [A=1]
secretGenerator:
- name: creds
  literals: [p=q]
`;
