"""PostgreSQL servers of the tests' own, in folders that are gone afterwards: one alone, or a primary with
a synchronous standby that can take its place."""

import atexit
import ctypes
import glob
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time

# PostgreSQL does not run as root. `postgres` exists where its package is installed.
USER = "postgres" if os.geteuid() == 0 else None
# Killed processes lose nothing that the kernel has: without fsync the tests are faster and as strict.
SETTINGS = {"listen_addresses": "127.0.0.1", "shared_buffers": "32MB", "max_connections": "100",
            "fsync": "off", "synchronous_commit": "on", "wal_level": "replica", "hot_standby": "on",
            "wal_receiver_status_interval": "1", "max_wal_size": "128MB",
            # A standby that lost its primary may sleep so long before it sees that it was promoted.
            "wal_retrieve_retry_interval": "100ms"}


def programs():
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    if not found:
        raise RuntimeError("there is no PostgreSQL server; ./dev test installs it")
    return found[-1]


def free_port():
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        return made.getsockname()[1]


def end_with_parent():
    """Nothing stays behind when the test is killed."""
    ctypes.CDLL(None).prctl(1, signal.SIGQUIT)


class Postgres:
    """`of`: the server that it copies and follows as a standby."""

    empty = None

    def __init__(self, of=None):
        self.folder = tempfile.mkdtemp(prefix="arbiter-pg-")
        if USER:
            user = pwd.getpwnam(USER)
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        self.data = self.folder + "/data"
        self.port = free_port()
        self.child = None
        try:
            if of is None:
                self.make()
            else:
                self.copy(of)
            self.start()
        except BaseException:
            self.remove()
            raise

    def run(self, program, *words):
        done = subprocess.run([f"{programs()}/{program}", *words], user=USER, group=USER,
                              extra_groups=[] if USER else None, cwd="/", capture_output=True, text=True,
                              check=False, timeout=120)
        if done.returncode != 0:
            raise RuntimeError(f"{program}: {done.stdout}{done.stderr}")
        return done.stdout.strip()

    def make(self):
        """An empty database. The first one takes seconds and is kept for the others of the process."""
        if not Postgres.empty:
            self.run("initdb", "-D", self.data, "-U", "arbiter", "-A", "trust", "-E", "UTF8", "--no-locale",
                     "--no-sync")
            Postgres.empty = tempfile.mkdtemp(prefix="arbiter-pg-")
            atexit.register(shutil.rmtree, Postgres.empty, ignore_errors=True)
            subprocess.run(["cp", "-a", self.data, Postgres.empty], check=True)
        else:
            subprocess.run(["cp", "-a", Postgres.empty + "/data", self.data], check=True)

    def copy(self, of):
        self.run("pg_basebackup", "-D", self.data, "-h", "127.0.0.1", "-p", str(of.port), "-U", "arbiter",
                 "--write-recovery-conf", "--checkpoint=fast", "--wal-method=stream", "--no-sync")
        # Promoted, it has no standby of its own to wait for.
        with open(self.data + "/postgresql.auto.conf", "a", encoding="ascii") as settings:
            settings.write("synchronous_standby_names = ''\n")

    def start(self):
        options = [word for name, value in SETTINGS.items() for word in ("-c", f"{name}={value}")]
        with open(self.folder + "/log", "ab") as log:
            self.child = subprocess.Popen(
                [f"{programs()}/postgres", "-D", self.data, "-p", str(self.port), "-c",
                 f"unix_socket_directories={self.folder}", *options],
                user=USER, group=USER, extra_groups=[] if USER else None, cwd="/", stdout=log, stderr=log,
                preexec_fn=end_with_parent)
        deadline = time.monotonic() + 60
        while True:
            try:
                self.sql("SELECT 1")
                return
            except RuntimeError:
                if self.child.poll() is not None or time.monotonic() > deadline:
                    raise
            time.sleep(0.02)

    def sql(self, statement):
        return self.run("psql", "-h", "127.0.0.1", "-p", str(self.port), "-U", "arbiter", "-d", "postgres", "-XAtqc",
                        statement)

    def kill(self):
        """As if the power had gone: the server and all its processes, at once."""
        if self.child is None:
            return
        name = str(self.child.pid)
        with open(f"/proc/{name}/task/{name}/children", encoding="ascii") as children:
            everyone = [int(name), *map(int, children.read().split())]
        for each in everyone:
            try:
                os.kill(each, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.child.wait()
        self.child = None

    def require_standby(self):
        """From now on a commit waits for the standby, which is in step when this returns."""
        self.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.sql("SELECT pg_reload_conf()")
        deadline = time.monotonic() + 30
        while self.sql("SELECT sync_state FROM pg_stat_replication") != "sync":
            if time.monotonic() > deadline:
                raise RuntimeError("the standby does not follow")
            time.sleep(0.02)

    def promote(self):
        """Begins to; the server takes writes a moment later."""
        self.sql("SELECT pg_promote(false)")

    def follow(self, of):
        """Comes back as a standby with a fresh copy, at its old address."""
        shutil.rmtree(self.data)
        self.copy(of)
        self.start()

    def remove(self):
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


def url_of(*servers):
    """The store of a server; or of the one of several that takes writes."""
    hosts = ",".join(f"127.0.0.1:{each.port}" for each in servers)
    return (f"postgres://arbiter@{hosts}/postgres?sslmode=disable&gssencmode=disable" +
            ("&target_session_attrs=read-write" if len(servers) > 1 else ""))
