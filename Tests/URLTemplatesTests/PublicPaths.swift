import Foundation

/// Paths as public APIs have them, each with the template that it is to become; written before the rules.
///
/// A set begins with its name; a line is a path, or a path and a query, and after `→` its template. Where there is no
/// arrow the path is its own template.
enum PublicPaths {
    /// A path and what it is to become.
    struct Case: Sendable, CustomStringConvertible {
        var set: String
        var target: String
        var template: String

        var description: String { "\(set): \(target)" }
    }

    /// All cases of all sets.
    static let cases: [Case] = {
        var cases: [Case] = []
        var set = ""
        for line in text.split(separator: "\n") {
            if line.hasPrefix("# ") {
                set = String(line.dropFirst(2))
                continue
            }
            let halves = line.components(separatedBy: " → ")
            cases.append(Case(set: set, target: halves[0], template: halves[halves.count - 1]))
        }
        return cases
    }()

    private static let text = """
        # GitHub REST
        /user
        /rate_limit
        /users/octocat/repos
        /repos/apple/swift/pulls/71234/files → /repos/apple/swift/pulls/{id}/files
        /repos/apple/swift/commits/3f2a9b7c1d4e5f60718293a4b5c6d7e8f9012345 → /repos/apple/swift/commits/{hash}
        /repos/apple/swift/git/ref/heads/main
        /repos/apple/swift/contents/Sources/main.swift
        /notifications/threads/1 → /notifications/threads/{id}
        # Stripe
        /v1/balance
        /v1/customers/cus_NffrFeUfNV2Hib → /v1/customers/cus_{token}
        /v1/charges/ch_3MmlLrLkdIwHu7ix0snN0B15/capture → /v1/charges/ch_{token}/capture
        /v1/payment_intents/pi_3MtwBwLkdIwHu7ix28a3tqPa/confirm → /v1/payment_intents/pi_{token}/confirm
        /v1/checkout/sessions/cs_test_a11YYufWQzNY63zpQ6QSNRQhkUpVph4WRmzW0zWJO2znZKdVujZ0N0S22u → /v1/checkout/sessions/cs_test_{token}
        # Slack Web API
        /api/chat.postMessage
        /api/conversations.history
        /api/users.profile.set
        /files-pri/T024BE7LD-F024BERPE/report.pdf → /files-pri/{token}/report.pdf
        # Twitter
        /2/tweets/1460323737035677698 → /2/tweets/{id}
        /2/users/by/username/jack
        /1.1/statuses/show/210462857140252672.json → /1.1/statuses/show/{id}.json
        /i/api/graphql/oUZZZ8Oddwxs8Cd3iW3UEA/UserByScreenName → /i/api/graphql/{token}/UserByScreenName
        # GraphQL over GET
        /graphql
        /graphql?operationName=Feed&variables=%7B%22first%22%3A10%7D → /graphql?operationName=Feed
        /graphql?variables=%7B%7D&operationName=UserById → /graphql?operationName=UserById
        /graphql?query=query%20Viewer%20%7B%20viewer%20%7B%20login%20%7D%20%7D → /graphql?operationName=Viewer
        /graphql?query=mutation+AddStar($id:ID!){addStar(id:$id){id}} → /graphql?operationName=AddStar
        /graphql?query=%7Bviewer%7Blogin%7D%7D → /graphql
        /api/graphql?operationName=%3Cscript%3E → /api/graphql
        /search?operationName=Feed → /search
        /api/v3/StaysSearch/d4d9503616dc72ab220ed8dcf17f166816dccb2593e7b4625c91c3fce3a3b3d6?operationName=StaysSearch&locale=en&extensions=%7B%7D → /api/v3/StaysSearch/{hash}?operationName=StaysSearch
        # Shopify Admin
        /admin/api/2024-01/products/632910392.json → /admin/api/2024-01/products/{id}.json
        /admin/api/2024-01/orders/450789469/fulfillments/255858046.json → /admin/api/2024-01/orders/{id}/fulfillments/{id}.json
        /admin/api/2024-01/shop.json
        # Google APIs
        /drive/v3/files/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms → /drive/v3/files/{token}
        /calendar/v3/calendars/bob%40example.com/events → /calendar/v3/calendars/{email}/events
        /v1/projects/my-project/databases/(default)/documents/users/alovelace
        /v1beta/models/gemini-pro:generateContent
        /embed/dQw4w9WgXcQ → /embed/{token}
        # Firebase Storage
        /v0/b/app.appspot.com/o/avatar.jpg
        /v0/b/app.appspot.com/o/users%2F12345%2Favatar.jpg → /v0/b/app.appspot.com/o/users%2F{id}%2Favatar.jpg
        # S3 keys
        /backups/2024/01/15/db-3f9c2a1b.dump → /backups/{id}/{id}/{id}/db-{hash}.dump
        /logs/year=2024/month=01/day=15/part-00001-123e4567-e89b-12d3-a456-426614174000.snappy.parquet → /logs/year={id}/month={id}/day={id}/part-{id}-{uuid}.snappy.parquet
        /logs/dt=2024-01-15/events.json.gz → /logs/dt={date}/events.json.gz
        /uploads/IMG_20240115_123456.jpg → /uploads/IMG_{id}_{id}.jpg
        /bucket/reports/report-2024-01-15.csv → /bucket/reports/report-{date}.csv
        # CDN assets
        /static/js/app.3f9c2a1b.js → /static/js/app.{hash}.js
        /static/js/main.8d1f2c3b.chunk.css.map → /static/js/main.{hash}.chunk.css.map
        /assets/index-BjW2Q8dQ.js → /assets/index-{hash}.js
        /assets/site-HomePage.js
        /_next/static/3vqQm8Yx2Jk0Zr9TtLw1a/_buildManifest.js → /_next/static/{token}/_buildManifest.js
        /_next/static/chunks/pages/%5Bslug%5D-7b1f0e3c9d2a4b6f.js → /_next/static/chunks/pages/%5Bslug%5D-{hash}.js
        /s/roboto/v30/KFOmCnqEu92Fr1Mu4mxKKTU1Kg.woff2 → /s/roboto/v30/{token}.woff2
        /fonts/inter-v13-latin-700.woff2
        /npm/react@18.2.0/umd/react.production.min.js
        /img/logo@2x.png
        # Cloudinary
        /demo/image/upload/w_300,h_200,c_fill/v1312461204/sample.jpg → /demo/image/upload/w_300,h_200,c_fill/v{id}/sample.jpg
        # Map tiles
        /12/2200/1343.png → /{id}/{id}/{id}.png
        /3/4/5.png → /{id}/{id}/{id}.png
        /styles/v1/mapbox/streets-v11/tiles/512/10/163/395@2x → /styles/v1/mapbox/streets-v11/tiles/{id}/{id}/{id}/{id}@2x
        /v4/mapbox.satellite/3/2/5@2x.png32 → /v4/mapbox.satellite/{id}/{id}/{id}@2x.png32
        /data/v3/14/8580/5738.pbf → /data/v3/{id}/{id}/{id}.pbf
        # Weather
        /points/39.7456,-97.0892 → /points/{list}
        /gridpoints/TOP/31,80/forecast → /gridpoints/TOP/{list}/forecast
        /stations/KSEA/observations/latest
        /data/2.5/weather
        /forecast/-97.0892 → /forecast/{number}
        # Spotify
        /v1/albums/4aawyAB9vmqN3uQ7FjRGTy → /v1/albums/{token}
        /v1/tracks/11dFghVXANMlKmJXsNCbNl → /v1/tracks/{token}
        /v1/me/player/currently-playing
        # The Movie Database
        /3/movie/550 → /3/movie/{id}
        /3/movie/550/images → /3/movie/{id}/images
        /t/p/w500/8uO0gUM8aNqYLs1OsTBQiXu0fEv.jpg → /t/p/w500/{token}.jpg
        # Discord
        /api/v10/users/@me
        /api/v10/channels/41771983423143937/messages/155117677105512449 → /api/v10/channels/{id}/messages/{id}
        /api/v10/channels/41771983423143937/messages/155117677105512449/reactions/%F0%9F%98%80/@me → /api/v10/channels/{id}/messages/{id}/reactions/%F0%9F%98%80/@me
        # Docker registry
        /v2/library/nginx/manifests/latest
        /v2/library/nginx/blobs/sha256:a3ed95caeb02ffe68cdd9fd84406680ae93d633cb16422d00e8a7c22955b46d4 → /v2/library/nginx/blobs/sha256:{hash}
        # npm
        /lodash
        /@babel%2fcore
        /lodash/-/lodash-4.17.21.tgz
        # PyPI
        /simple/numpy/
        /pypi/requests/2.31.0/json
        /packages/9d/be/10918a2eac4ae9f02f6cfe6414b7a155ccd8f7f9d4380d62fd5b955065c3/requests-2.31.0.tar.gz → /packages/9d/be/{hash}/requests-2.31.0.tar.gz
        # Shop with ULIDs and Mongo ids
        /orders/01ARZ3NDEKTSV4RRFFQ69G5FAV → /orders/{ulid}
        /orders/01arz3ndektsv4rrffq69g5fav/lines/2 → /orders/{ulid}/lines/{id}
        /products/507f1f77bcf86cd799439011/reviews → /products/{hash}/reviews
        /dp/B08N5WRWNW → /dp/{token}
        # Jira
        /rest/api/3/issue/PROJ-123/comment/10000 → /rest/api/3/issue/PROJ-123/comment/{id}
        /rest/api/3/myself
        # Wikimedia
        /api/rest_v1/page/summary/Albert_Einstein
        /wiki/Special:EntityData/Q1234567.json → /wiki/Special:EntityData/Q{id}.json
        /w/api.php
        # Documentation with locales
        /en-US/docs/Web/API
        /de-de/surface/42 → /de-de/surface/{id}
        /pt_BR/legal
        /zh-Hant-TW/support
        /es-419/ayuda
        /fr/aide
        # Microsoft Graph and OData
        /v1.0/users/87d349ed-44d7-43e1-9a83-5f2406dee5bd/messages → /v1.0/users/{uuid}/messages
        /v1.0/me/messages/AAMkAGI2TG93AAA= → /v1.0/me/messages/{token}
        /v1.0/me/messages/AAMkAGI2TG93AAA%3D → /v1.0/me/messages/{token}
        /odata/Products(42)/Category → /odata/Products({id})/Category
        /odata/People('bob@example.com') → /odata/People('{email}')
        # Telegram
        /bot123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/sendMessage → /bot{id}:{token}/sendMessage
        # Streaming
        /hls/stream_1080p/segment_00042.ts → /hls/stream_1080p/segment_{id}.ts
        /vod/0a1b2c3d/init.mp4 → /vod/{hash}/init.mp4
        /dash/video/init-stream0.m4s
        # Accounts
        /users/bob@example.com/confirm → /users/{email}/confirm
        /verify/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U → /verify/{token}
        /invite/k3j9xq2m7p0d5w8r → /invite/{token}
        /users/me
        /users/%7B123e4567-e89b-12d3-a456-426614174000%7D → /users/{uuid}
        # Ethereum explorer
        /address/0x742d35Cc6634C0532925a3b844Bc454e4438f44e → /address/{hash}
        # Zendesk
        /api/v2/tickets/35436.json → /api/v2/tickets/{id}.json
        /api/v2/users/show_many
        /api/v2/users/1,2,3 → /api/v2/users/{list}
        # Time series
        /events/2026-11-21T10:00:00Z → /events/{date}
        /archive/2024-01-15/list → /archive/{date}/list
        /stats/2024-W03
        """
}
