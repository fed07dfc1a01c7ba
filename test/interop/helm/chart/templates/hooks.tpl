{{- range $i, $hook := list "pre-install" "post-install" "pre-upgrade" "post-upgrade" "pre-rollback" "pre-delete" "post-delete" }}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ $.Release.Name }}-{{ $hook }}
  annotations:
    helm.sh/hook: {{ $hook }}
    helm.sh/hook-weight: "{{ $i }}"
    helm.sh/hook-delete-policy: before-hook-creation{{ if eq $hook "post-install" }},hook-succeeded{{ end }}
spec:
  backoffLimit: 0
  template:
    spec: {restartPolicy: Never, containers: [{name: c, image: busybox, command: [sh, -c, "exit 0"]}]}
{{- end }}
