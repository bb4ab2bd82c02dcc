// The worker that all tabs of a browser share, so that together they hold one stream.
import { serve } from "./source.js";

onconnect = ({ ports: [port] }) => serve(location.origin, port);
