<?php
$path = parse_url($_SERVER["REQUEST_URI"], PHP_URL_PATH);
$body = file_get_contents("php://input");
if ($path === "/none") {
    http_response_code(204);
} elseif ($path === "/missing") {
    http_response_code(404);
    echo "missing\n";
} elseif ($path === "/echo") {
    header("Content-Length: " . strlen($body));
    echo $body;
} elseif ($path === "/large") {
    echo str_repeat("0123456789", 30000);
} else {
    header("Set-Cookie: a=b");
    echo "ok\n";
}
