"""Plays with nothing but the description of the API: openapi_client.py http://HOST:PORT/api/openapi.json

Every request is built from the description and checked against it before it is sent; every answer has to be one that the
description promises. What the games are and how they are played, the client does not know.
"""

import http.cookiejar
import json
import random
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

from jsonschema import Draft202012Validator


class Client:
    """A guest: keeps the cookie that the server sets."""

    def __init__(self, address):
        jar = http.cookiejar.CookieJar()
        self.web = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
        self.document = json.load(self.web.open(address))
        parts = urllib.parse.urlsplit(address)
        self.base = f"{parts.scheme}://{parts.netloc}"
        self.operations = {}
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                self.operations[operation["operationId"]] = (method.upper(), path, operation)

    def check(self, schema, value, what):
        whole = {**schema, "components": self.document["components"]}
        for problem in Draft202012Validator(whole).iter_errors(value):
            raise SystemExit(f"{what}: {problem.message}\nin {json.dumps(value)[:500]}")

    def open(self, name, body=None, **parameters):
        """Sends a request; the status, the kind of content, and the open answer."""
        method, path, operation = self.operations[name]
        query = {}
        for parameter in operation.get("parameters", []):
            key, place = parameter["name"], parameter["in"]
            if key not in parameters:
                assert not parameter.get("required"), f"{name} needs {key}"
                continue
            value = parameters.pop(key)
            self.check(parameter["schema"], value, f"{key} of {name}")
            if place == "path":
                path = path.replace("{" + key + "}", urllib.parse.quote(str(value)))
            else:
                query[key] = value
        assert not parameters, f"{name} has no {parameters}"
        data, headers = None, {}
        if body is not None:
            content = operation["requestBody"]["content"]["application/json"]
            self.check(content["schema"], body, f"body of {name}")
            data, headers = json.dumps(body).encode(), {"content-type": "application/json"}
        address = self.base + path + ("?" + urllib.parse.urlencode(query) if query else "")
        request = urllib.request.Request(address, data=data, headers=headers, method=method)
        try:
            answer = self.web.open(request, timeout=20)
        except urllib.error.HTTPError as refused:
            answer = refused
        promised = operation["responses"].get(str(answer.status))
        assert promised, f"{name} answers {answer.status}, which is not described"
        kind = (answer.headers.get("content-type") or "").split(";")[0]
        contents = promised.get("content", {})
        assert kind in contents or not contents, f"{name} answers {kind}, which is not described"
        return answer.status, contents.get(kind), answer

    def call(self, name, body=None, **parameters):
        """Sends a request; the status and the whole answer."""
        status, content, answer = self.open(name, body, **parameters)
        text = answer.read().decode()
        if content is None:
            return status, None
        value = json.loads(text) if "json" in answer.headers["content-type"] else text
        self.check(content["schema"], value, f"answer {status} of {name}")
        return status, value

    def ok(self, name, body=None, **parameters):
        status, value = self.call(name, body, **parameters)
        assert 200 <= status < 300, f"{name} is refused: {value}"
        return value


def play(players, table, turns):
    """Lets people choose among what they may play, a few times; whether the game is over."""
    for _ in range(turns * 200):
        now = [player.ok("show_turn", id=table) for player in players]
        if now[0]["state"] == "over":
            assert now[0]["result"], now
            return True
        able = [(player, turn) for player, turn in zip(players, now) if turn["actions"]]
        if not able:
            time.sleep(0.05)
            continue
        (player, turn), = able
        if turns == 0:
            return False
        turns -= 1
        action = random.choice(turn["actions"])
        player.ok("act", {"action": action, "at": turn["at"]}, id=table)
    raise SystemExit(f"nothing happens at {table}")


def main(address):
    ann, bob = Client(address), Client(address)
    games = ann.ok("list_games")
    for game in games:
        bots = [None] + [1] * (game["seats"] - 1)
        table = ann.ok("create_table", {"game": game["id"], "seat": 1, "bots": bots})["table"]
        if not play([ann], table, 4):
            ann.ok("resign", id=table)
        turn = ann.ok("show_turn", id=table)
        assert turn["state"] == "over" and turn["actions"] == [], turn
        assert "[Result" in ann.ok("record", id=table)
    # Two people: one makes a table, the other takes the free seat; they talk, play, and agree on a draw.
    table = ann.ok("create_table", {"game": games[0]["id"], "seat": 1, "clock": "fischer=300+5"})["table"]
    bob.ok("sit", {}, id=table)
    number = 0

    def request(client, command):
        nonlocal number
        number += 1
        return client.ok("request", {"id": f"k{number}", "command": command}, id=table)

    request(bob, {"type": "say", "line": {"type": "phrase", "phrase": "hello"}})
    if not play([ann, bob], table, 3):
        request(ann, {"type": "propose", "offer": "draw"})
        request(bob, {"type": "agree", "offer": "draw"})
    assert ann.ok("show_turn", id=table)["result"] == "draw"
    # A refusal is one of those described, with its code.
    status, refusal = bob.call("act", {"action": "nonsense", "at": 0}, id=table)
    assert status == 409 and refusal["code"] == "over", refusal
    # The stream of a table tells all that happened.
    status, _, stream = bob.open("watch_table", id=table)
    first = stream.readline().decode()
    assert status == 200 and first.startswith("data: ") and json.loads(first[6:])["type"] == "table", first
    stream.close()
    # People who look for an opponent find one another.
    wanted = {"game": games[-1]["id"], "clock": "turn=60"}
    assert ann.ok("pair", wanted)["table"] == bob.ok("pair", wanted)["table"]
    print(f"played {len(games)} games with bots and one between two people by the description alone")


main(sys.argv[1])
