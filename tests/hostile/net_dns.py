"""raised: asks for the address of a name."""

import socket

socket.getaddrinfo('example.com', 80)
