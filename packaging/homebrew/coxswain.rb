# For a tap of your own. When a version is released: its tarball and the tarball's SHA-256.
class Coxswain < Formula
  desc "Kubernetes in one process, for tests, CI and development"
  license "Apache-2.0"
  url "file://#{ENV.fetch("COXSWAIN_TARBALL", "/nonexistent/coxswain-0.1.0.tgz")}"
  version "0.1.0"
  sha256 ENV.fetch("COXSWAIN_TARBALL_SHA256", "0" * 64)

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink Dir["#{libexec}/bin/*"]
    generate_completions_from_executable(bin/"coxswain", "completion")
  end

  service do
    run [opt_bin/"coxswain", "up", "--data-dir=#{var}/coxswain"]
    keep_alive crashed: true
    log_path var/"log/coxswain.log"
    error_log_path var/"log/coxswain.log"
  end

  test do
    assert_match "Kubernetes v1.36", shell_output("#{bin}/coxswain version")
    (testpath/"pod.yaml").write <<~YAML
      apiVersion: v1
      kind: Pod
      metadata: { name: a }
      spec: { containers: [{ name: a, image: a }] }
    YAML
    system bin/"coxswain", "validate", "-f", "pod.yaml"
  end
end
