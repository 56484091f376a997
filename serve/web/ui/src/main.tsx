import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Refused, get, post } from "./api";
import { takeFromAddress } from "./carry";
import { Lobby } from "./lobby";
import { strings } from "./strings";
import { Table } from "./table";
import type { Catalogue } from "./types";

function Page() {
	const [catalogue, setCatalogue] = useState<Catalogue>();
	const [problem, setProblem] = useState<Refused>();
	const table = /^\/table\/([^/]+)$/.exec(location.pathname)?.[1];
	const [seated, setSeated] = useState(!location.hash);
	const refused = (e: unknown) => setProblem(e instanceof Refused ? e : new Refused(0, "", strings.failed));
	useEffect(() => {
		if (table) takeFromAddress(table).then(() => setSeated(true), refused);
		else get<Catalogue>("/api/catalogue").then(setCatalogue, refused);
	}, []);
	if (problem?.status === 401) return <Enter then={() => location.reload()} />;
	if (problem) return <p class="problem" role="alert">{problem.message}</p>;
	if (table && !seated) return <p class="loading">{strings.loading}</p>;
	if (table) return <Table id={table} onRefused={setProblem} />;
	return catalogue ? <Lobby catalogue={catalogue} /> : <p class="loading">{strings.loading}</p>;
}

function Enter(props: { then: () => void }) {
	const [token, setToken] = useState("");
	const [problem, setProblem] = useState("");
	const enter = (e: Event) => {
		e.preventDefault();
		post("/api/enter", { token }).then(props.then, (why: Error) => setProblem(why.message));
	};
	return (
		<main class="enter">
			<h1>{strings.name}</h1>
			<form onSubmit={enter}>
				<p>{strings.enter}</p>
				<label>
					{strings.token} <input type="password" autocomplete="current-password" value={token} onInput={(e) => setToken(e.currentTarget.value)} />
				</label>
				<button class="main">{strings.go}</button>
				<p role="alert" class="problem">{problem}</p>
			</form>
		</main>
	);
}

const page = document.getElementById("page");
if (page) render(<Page />, page);
