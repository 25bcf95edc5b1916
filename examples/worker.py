"""A Windrow worker in Python, with the standard library only: takes articles from a lane of its own, reports them, sends heartbeats, stops what is cancelled.

    SOURCE_LANES=article=python          # for API and orchestrator: who takes articles
    python3 examples/worker.py redis://127.0.0.1:6379 python

Messages: schemas/*.json. Names in Redis: docs/workers.md.
"""
import html, json, os, re, signal, socket, sys, threading, time, urllib.error, urllib.parse, urllib.request

URL, LANE, SLOTS = sys.argv[1], sys.argv[2], int(os.environ.get("SLOTS", "4"))
NAME, STARTED = f"python-{socket.gethostname()}-{os.getpid()}", time.time()
held, cancelled, stopping = {}, set(), threading.Event()


class Redis:
    """One connection, one command at a time."""

    def __init__(self):
        at = urllib.parse.urlparse(URL)
        self.socket = socket.create_connection((at.hostname, at.port or 6379))
        self.answers = self.socket.makefile("rb")
        if at.password:
            self("AUTH", *filter(None, [at.username, at.password]))

    def __call__(self, *words):
        words = [str(word).encode() for word in words]
        self.socket.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words))
        return self.answer()

    def answer(self):
        line = self.answers.readline()
        kind, rest = line[:1], line[1:-2]
        if kind == b"+":
            return rest.decode()
        if kind == b":":
            return int(rest)
        if kind not in (b"$", b"*"):
            raise ConnectionError(rest.decode() or "Redis has closed the connection")
        if int(rest) < 0:
            return None
        if kind == b"*":
            return [self.answer() for _ in range(int(rest))]
        return self.answers.read(int(rest) + 2)[:-2].decode()


def now(seconds=None):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def take(redis):
    """The next task, urgent ones first. Whoever deletes it has it."""
    for band in ("high", "medium", "low"):
        stream = f"scraping:tasks:{LANE}:{band}"
        for entry, (_, text) in redis("XRANGE", stream, "-", "+", "COUNT", 1):
            if redis("XDEL", stream, entry) == 1:
                return json.loads(text)
    redis("BLPOP", f"scraping:bell:{LANE}", 1)


def plain(text):
    return html.unescape(re.sub(r"<[^>]+>", "", text)).strip()


def scrape(task):
    """(article, error): what schemas/result.json calls `articles_data` and `error`."""
    url = task["params"]["url"]
    try:
        with urllib.request.urlopen(url, timeout=task["timeout"]) as answer:
            page = answer.read().decode("utf-8", "replace")
        title, paragraphs = re.search(r"<title>(.*?)</title>", page, re.S), re.findall(r"<p\b[^>]*>(.*?)</p>", page, re.S)
        return {"url": url, "title": title and plain(title[1]), "content": "\n\n".join(map(plain, paragraphs))}, None
    except urllib.error.HTTPError as error:
        category = "not_found" if error.code == 404 else f"http_{error.code // 100}xx"
        return None, {"category": category, "message": str(error), "retryable": error.code >= 500}
    except Exception as error:
        category = "network" if isinstance(error, OSError) else "internal"
        return None, {"category": category, "message": str(error), "retryable": True}


def work():
    redis = Redis()
    while not stopping.is_set():
        task = take(redis)
        if task is None:
            continue
        ref = (task["task_id"], task["attempt"])
        if ref in cancelled:
            continue
        held[ref] = True
        began = time.time()
        article, error = scrape(task)
        result = {key: task[key] for key in ("task_id", "run_id", "attempt", "scraper_type")} | {
            "type": "result", "status": "failed" if error else "success", "execution_time": time.time() - began,
            "articles_data": [article] if article else [], "metadata": {"worker": NAME}, "completed_at": now(), "error": error}
        if ref not in cancelled:
            redis("XADD", "scraping:results", "*", "data", json.dumps(result))
            if error:
                notice = {key: result[key] for key in ("task_id", "run_id", "attempt", "scraper_type", "error")}
                redis("PUBLISH", "scrapers:errors", json.dumps(notice | {"worker": NAME, "at": now()}))
        del held[ref]


def beat():
    redis = Redis()
    while True:
        tasks = [{"task_id": task, "attempt": attempt} for task, attempt in list(held)]
        # It has to expire after exactly two hours: its age is read off that.
        redis("SET", f"scrapers:held:{NAME}", json.dumps({"type": "held", "worker": NAME, "tasks": tasks, "sent_at": str(time.time())}), "PX", 7_200_000)
        health = {"worker": NAME, "host": socket.gethostname(), "pid": os.getpid(), "version": "0", "lanes": [LANE], "slots": SLOTS, "busy": len(tasks),
                  "rss_bytes": 0, "started_at": now(STARTED), "sent_at": now(), "draining": stopping.is_set()}
        redis("SET", f"scrapers:worker:{NAME}", json.dumps(health), "PX", 10_000)
        redis("SADD", "scrapers:workers", NAME)
        redis("PUBLISH", "scrapers:health", json.dumps(health))
        time.sleep(1)


def listen():
    redis = Redis()
    message = redis("SUBSCRIBE", "scraping:cancel")
    while True:
        if message[0] == "message":
            cancelled.update((task["task_id"], task["attempt"]) for task in json.loads(message[2]))
        message = redis.answer()


for signum in (signal.SIGTERM, signal.SIGINT):
    signal.signal(signum, lambda *_: stopping.set())
for target in (beat, listen):
    threading.Thread(target=target, daemon=True).start()
workers = [threading.Thread(target=work) for _ in range(SLOTS)]
for worker in workers:
    worker.start()
print(f"{NAME} takes up to {SLOTS} tasks at a time from lane {LANE}", flush=True)
for worker in workers:
    worker.join()
