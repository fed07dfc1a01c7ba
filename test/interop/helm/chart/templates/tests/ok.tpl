apiVersion: v1
kind: Pod
metadata:
  name: {{ .Release.Name }}-test
  annotations: {helm.sh/hook: test}
spec: {restartPolicy: Never, containers: [{name: c, image: busybox, command: [sh, -c, "echo fine"]}]}
