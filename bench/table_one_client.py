"""Talks to a server over three connections for a moment: table_one_client.py SOCKET memcached|redis|haproxy."""

import socket
import sys
import time

GET = b"GET /%s HTTP/1.1\r\nHost: here\r\n\r\n"
WORDS = {
    "haproxy": (GET * 3, (GET[:-2] % b"last",)),
    "memcached": (b"set %s 0 0 3\r\nabc\r\nget %s\r\nincr n 1\r\ndelete %s\r\n", (b"flush_all", b"stats", b"stats items")),
    "redis": (b"SET %s abc\r\nGET %s\r\nINCR n\r\nDEL %s\r\n", (b"FLUSHALL ASYNC", b"INFO", b"BGREWRITEAOF")),
}


def connect(path):
    for _ in range(600):
        end = socket.socket(socket.AF_UNIX)
        end.settimeout(20)
        try:
            end.connect(path)
            return end
        except OSError:
            time.sleep(0.02)
    sys.exit("no server")


def main():
    turn_words, last_words = WORDS[sys.argv[2]]
    ends = [connect(sys.argv[1]) for _ in range(3)]
    for turn in range(20):
        for end in ends:
            end.sendall(turn_words % ((b"k%d" % (turn % 5),) * 3))
        for end in ends:
            end.recv(65536)
    for word in last_words:
        ends[0].sendall(word + b"\r\n")
        ends[0].recv(65536)


main()
